// Stands in for the ROCm device in a build without -DROUTEKIT_CK=ON: a ROCm session is told so instead of being moved
// to the CPU in silence, and the float16 schema is there all the same.
#include <stdexcept>

#include "devices.h"

namespace routekit::rocm {

Run open(const ort::Api&) {
  throw std::runtime_error(
      "routekit.FlashAttention: this library was built without ROCm. Remedy: rebuild with -DROUTEKIT_CK=ON "
      "(native/ck_fa/README.md), or use CPUExecutionProvider");
}

}  // namespace routekit::rocm
