// The CPU device: kernels chosen once per node, work spread over the runtime's own thread pool.
#include "boundary.h"
#include "devices.h"
#include "instruction_sets.h"
#include "launch.h"

namespace routekit::cpu {
namespace {

struct Pool {
  const ort::Api& api;
  ort::KernelContext* context;
};

void run_on_pool(void* context, void (*task)(void*, size_t), void* data, size_t n) {
  const Pool& pool = *static_cast<const Pool*>(context);
  constexpr size_t kRuntimeDecides = 0;
  check(pool.api, ort::ParallelFor::call(pool.api, pool.context, task, n, kRuntimeDecides, data));
}

}  // namespace

Run open(const ort::Api& api) {
  return [&api, kernels = choose_kernels()](ort::KernelContext* context, const Attention& call, const Operands& data) {
    Pool pool{api, context};
    launch(call, data, kernels.choose(call), {run_on_pool, &pool});
  };
}

}  // namespace routekit::cpu
