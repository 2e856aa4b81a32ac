// The list of ops of the contract test: the ROCm host code under the CPU provider of a real ONNX Runtime.
#include "op.h"

namespace routekit {

std::vector<Op> all_ops(const ort::Api& api) {
  return {make_op(api, {"CPUExecutionProvider", ort::kFloat16, rocm::open})};
}

}  // namespace routekit
