// The custom ops of the library as ONNX Runtime sees them.
#pragma once

#include <vector>

#include "devices.h"
#include "ort/abi.h"

namespace routekit {

// What the runtime holds on to; the callbacks come first, so that a pointer to them is a pointer to this.
struct Op {
  ort::CustomOp callbacks;
  const ort::Api* api;
  Device device;
};

// `routekit::FlashAttention` on a device.
Op make_op(const ort::Api& api, const Device& device);

// `routekit::QuantizedLinear` on the CPU.
Op make_linear_op(const ort::Api& api);

// `routekit::EncoderInput` and `routekit::EncoderLayer` on the CPU.
Op make_input_op(const ort::Api& api);
Op make_layer_op(const ort::Api& api);

// All that the library registers, in one list.
std::vector<Op> all_ops(const ort::Api& api);

}  // namespace routekit
