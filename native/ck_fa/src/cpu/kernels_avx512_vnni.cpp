// AVX-512 with dot products of bytes and of 16-bit pairs: 8 x 3 sums, 3 vectors of weights, one broadcast.
#define ROUTEKIT_LANES 16
#include "instruction_sets.h"
#include "linear_kernel.h"

namespace routekit::cpu {

LinearKernels avx512_vnni_linear_kernels() {
  return {linear_kernel<ByteFours, 8, 3>(), linear_kernel<ShortPairs, 8, 3>()};
}

}  // namespace routekit::cpu
