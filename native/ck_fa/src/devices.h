// What a device adds to the attention op: a provider, an element type and a way to run a checked call. Schema, checks
// and registration are shared.
#pragma once

#include <functional>

#include "attention.h"
#include "ort/abi.h"

namespace routekit {

using Run = std::function<void(ort::KernelContext*, const Attention&, const Operands&)>;

struct Device {
  const char* provider;  // execution provider as the runtime names it
  ort::ElementType element;
  Run (*open)(const ort::Api&);  // once per kernel; throws when the device cannot run
};

namespace cpu {
Run open(const ort::Api& api);
}
namespace rocm {
Run open(const ort::Api& api);
}

}  // namespace routekit
