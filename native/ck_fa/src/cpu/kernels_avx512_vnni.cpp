// AVX-512 with dot products of bytes and of 16-bit pairs: 8 x 3 sums, 3 vectors of weights, one broadcast.
#define ROUTEKIT_LANES 16
#include "block.h"
#include "instruction_sets.h"
#include "layer_kernel.h"
#include "linear_kernel.h"
#include "words_f32.h"

namespace routekit::cpu {

LinearKernels avx512_vnni_linear_kernels() {
  return {linear_kernel<ByteFours, 8, 3>(), linear_kernel<ShortPairs, 8, 3>()};
}

LayerKernels avx512_vnni_layer_kernels() { return layer_kernels<8, 3, 16>(block_kernel<FloatWords, 8, 2, 4, 128>()); }

}  // namespace routekit::cpu
