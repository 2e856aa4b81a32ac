// What the CK-tile kernels take, beyond what every device takes.
#pragma once

#include "attention.h"

namespace routekit::rocm {

// Throws BadArgument, which says what is allowed.
void check_rocm(const Attention& call);

}  // namespace routekit::rocm
