// 32 registers of 16 floats: 8 x 3 sums, 3 vectors of queries, one broadcast.
#define ROUTEKIT_LANES 16
#include "block.h"
#include "instruction_sets.h"
#include "layer_kernel.h"
#include "linear_kernel.h"
#include "words_f32.h"

namespace routekit::cpu {

Kernels avx512_kernels() {
  return {block_kernel<FloatWords, 8, 3, 4, 128>(), block_kernel<FloatWords, 8, 2, 1, 160>(), {}, {}};
}

LinearKernels avx512_linear_kernels() { return {linear_kernel<ByteFours, 6, 3>(), linear_kernel<ShortPairs, 8, 2>()}; }

LayerKernels avx512_layer_kernels() { return layer_kernels<6, 3, 16>(block_kernel<FloatWords, 8, 2, 4, 128>()); }

}  // namespace routekit::cpu
