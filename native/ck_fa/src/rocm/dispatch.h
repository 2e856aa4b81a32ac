// The launch signature of the ROCm device: what lies behind it is CK-tile, or a recorder in the tests.
#pragma once

#include "attention.h"

namespace routekit::rocm {

// Queue the call on a HIP stream, which is null for the default one, and return. Float16 operands in device memory; the
// call has passed check_rocm. Throws std::exception when the launch fails.
void dispatch(const Attention& call, const Operands& data, void* stream);

}  // namespace routekit::rocm
