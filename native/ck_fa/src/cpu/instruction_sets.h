// The instruction sets that the kernels are compiled for, and which of them this machine runs.
#pragma once

#include "launch.h"
#include "layer_launch.h"
#include "linear_launch.h"

namespace routekit::cpu {

Kernels avx512_bf16_kernels();
Kernels avx512_kernels();
Kernels avx2_kernels();
Kernels portable_kernels();

LinearKernels avx512_vnni_linear_kernels();
LinearKernels avx512_linear_kernels();
LinearKernels avx2_linear_kernels();
LinearKernels portable_linear_kernels();

LayerKernels avx512_vnni_layer_kernels();
LayerKernels avx512_layer_kernels();
LayerKernels avx2_layer_kernels();
LayerKernels portable_layer_kernels();

// The fastest kernels of this machine, or those that the environment variable ROUTEKIT_CK_FA_ISA names ("portable",
// "avx2", "avx512", "avx512_vnni", "avx512_bf16"). Throws BadArgument when that name is unknown or the machine cannot
// run it.
Kernels choose_kernels();
LinearKernels choose_linear_kernels();

// As above, but throws BadArgument too where the machine has no dot products of bytes and none was named: the runtime's
// own operators are as fast there.
LayerKernels choose_layer_kernels();

}  // namespace routekit::cpu
