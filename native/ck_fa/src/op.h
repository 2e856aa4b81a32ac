// The custom op `routekit::FlashAttention` as ONNX Runtime sees it.
#pragma once

#include "devices.h"
#include "ort/abi.h"

namespace routekit {

// What the runtime holds on to; the callbacks come first, so that a pointer to them is a pointer to this.
struct Op {
  ort::CustomOp callbacks;
  const ort::Api* api;
  Device device;
};

Op make_op(const ort::Api& api, const Device& device);

}  // namespace routekit
