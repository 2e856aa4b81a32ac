// The device list of the contract test: the ROCm host code under the CPU provider of a real ONNX Runtime.
#include "devices.h"

namespace routekit {

std::vector<Device> devices() { return {{"CPUExecutionProvider", ort::kFloat16, rocm::open}}; }

}  // namespace routekit
