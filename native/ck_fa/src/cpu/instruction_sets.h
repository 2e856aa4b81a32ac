// The instruction sets that the kernel is compiled for, and which of them this machine runs.
#pragma once

#include "launch.h"

namespace routekit::cpu {

Kernels avx512_bf16_kernels();
Kernels avx512_kernels();
Kernels avx2_kernels();
Kernels portable_kernels();

// The fastest kernels of this machine, or those that the environment variable ROUTEKIT_CK_FA_ISA names ("portable",
// "avx2", "avx512", "avx512_bf16"). Throws BadArgument when that name is unknown or the machine cannot run it.
Kernels choose_kernels();

}  // namespace routekit::cpu
