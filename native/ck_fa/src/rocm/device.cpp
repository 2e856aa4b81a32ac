// The ROCm device: the runtime's own stream, limits checked, then the launch.
#include "boundary.h"
#include "ck_limits.h"
#include "devices.h"
#include "dispatch.h"

namespace routekit::rocm {

Run open(const ort::Api& api) {
  return [&api](ort::KernelContext* context, const Attention& call, const Operands& data) {
    if (call.n_batch == 0 || call.n_heads == 0 || call.n_queries == 0) return;
    check_rocm(call);
    void* stream = nullptr;
    check(api, ort::GetGpuStream::call(api, context, &stream));
    dispatch(call, data, stream);
  };
}

}  // namespace routekit::rocm
