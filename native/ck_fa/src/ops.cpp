#include "op.h"

namespace routekit {

// Attention is typed apart by device, so that a float16 graph runs on a CPU session through the runtime's own casts.
std::vector<Op> all_ops(const ort::Api& api) {
  return {make_op(api, {"CPUExecutionProvider", ort::kFloat32, cpu::open}),
          make_op(api, {"ROCMExecutionProvider", ort::kFloat16, rocm::open}), make_linear_op(api), make_input_op(api),
          make_layer_op(api)};
}

}  // namespace routekit
