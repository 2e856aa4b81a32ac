// 16 registers of 8 floats: 4 x 3 sums, 3 vectors of queries, one broadcast.
#define ROUTEKIT_LANES 8
#include "block.h"
#include "instruction_sets.h"
#include "layer_kernel.h"
#include "linear_kernel.h"
#include "words_f32.h"

namespace routekit::cpu {

Kernels avx2_kernels() {
  return {block_kernel<FloatWords, 4, 3, 4, 128>(), block_kernel<FloatWords, 4, 3, 1, 152>(), {}, {}};
}

LinearKernels avx2_linear_kernels() { return {linear_kernel<ByteFours, 3, 2>(), linear_kernel<ShortPairs, 4, 2>()}; }

LayerKernels avx2_layer_kernels() { return layer_kernels<3, 2, 16>(block_kernel<FloatWords, 4, 2, 8, 128>()); }

}  // namespace routekit::cpu
