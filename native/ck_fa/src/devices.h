// The one list of devices that the op runs on. Schema, checks and registration are shared; a device adds its element
// type and a way to run a checked call.
#pragma once

#include <array>
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

// Typed apart, so that a float16 graph runs on a CPU session through the runtime's own casts.
inline constexpr std::array<Device, 2> kDevices{{
    {"CPUExecutionProvider", ort::kFloat32, cpu::open},
    {"ROCMExecutionProvider", ort::kFloat16, rocm::open},
}};

}  // namespace routekit
