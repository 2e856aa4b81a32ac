#include "devices.h"

namespace routekit {

// Typed apart, so that a float16 graph runs on a CPU session through the runtime's own casts.
std::vector<Device> devices() {
  return {{"CPUExecutionProvider", ort::kFloat32, cpu::open}, {"ROCMExecutionProvider", ort::kFloat16, rocm::open}};
}

}  // namespace routekit
