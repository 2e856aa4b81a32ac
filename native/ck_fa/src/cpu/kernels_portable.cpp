// 4 floats to a register, which every 64-bit processor has: SSE2 (16 registers), NEON (32).
#define ROUTEKIT_LANES 4
#include "block.h"
#include "instruction_sets.h"
#include "layer_kernel.h"
#include "linear_kernel.h"
#include "words_f32.h"

namespace routekit::cpu {

#ifdef __ARM_NEON
constexpr int kRows = 8, kVectors = 3;
#else
constexpr int kRows = 4, kVectors = 2;
#endif

Kernels portable_kernels() {
  return {
      block_kernel<FloatWords, kRows, kVectors, 1, 128>(), block_kernel<FloatWords, kRows, kVectors, 1, 152>(), {}, {}};
}

LinearKernels portable_linear_kernels() {
  return {linear_kernel<ByteFours, 2, 4>(), linear_kernel<ShortPairs, 2, 4>()};
}

LayerKernels portable_layer_kernels() {
  return layer_kernels<2, 4, 16>(block_kernel<FloatWords, kRows, kVectors, 1, 128>());
}

}  // namespace routekit::cpu
