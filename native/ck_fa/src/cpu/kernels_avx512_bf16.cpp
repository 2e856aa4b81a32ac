// AVX-512 with dot products of bfloat16 pairs, for calls that allow them; many groups share a converted tile.
#define ROUTEKIT_LANES 16
#include "block.h"
#include "instruction_sets.h"
#include "words_bf16.h"

namespace routekit::cpu {

Kernels avx512_bf16_kernels() {
  Kernels kernels = avx512_kernels();
  kernels.dense_bf16 = block_kernel<PairWords, 8, 3, 8, 128>();
  kernels.windowed_bf16 = block_kernel<PairWords, 8, 2, 1, 160>();
  return kernels;
}

}  // namespace routekit::cpu
