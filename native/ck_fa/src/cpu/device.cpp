// The CPU device: kernels chosen once per node, work spread over the runtime's own thread pool.
#include "devices.h"
#include "instruction_sets.h"
#include "pool.h"

namespace routekit::cpu {

Run open(const ort::Api& api) {
  return [&api, kernels = choose_kernels()](ort::KernelContext* context, const Attention& call, const Operands& data) {
    Pool pool{api, context};
    launch(call, data, kernels.choose(call), pool.parallel_for());
  };
}

}  // namespace routekit::cpu
