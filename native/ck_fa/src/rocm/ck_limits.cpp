#include "ck_limits.h"

#include <cstdint>
#include <string>

#include "checks.h"

namespace routekit::rocm {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw BadArgument("routekit.FlashAttention on ROCm: " + what); }

// CK-tile holds sizes and strides in 32 bits, and addresses one head of one sequence with 32 bits too. Batches and
// heads are added to the pointers in 64 bits, so tensors as a whole may be larger.
void check_32_bits(const char* tensor, const Strides& strides, int64_t n_rows) {
  const int64_t extent = n_rows * strides.row;
  for (int64_t elements : {strides.batch, strides.head, extent})
    if (elements > INT32_MAX)
      refuse(std::string(tensor) + " spans " + std::to_string(elements) + " elements; allowed: " +
             std::to_string(INT32_MAX) + ". Remedy: a smaller batch, or a bias that broadcasts");
}

}  // namespace

void check_rocm(const Attention& call) {
  if (call.head_dim != 32 && call.head_dim != 64 && call.head_dim != 128)
    refuse("head_dim is " + std::to_string(call.head_dim) + "; allowed: 32, 64, 128");
  // CK-tile takes the maximum before it scales.
  if (!(call.scale > 0)) refuse("scale is " + std::to_string(call.scale) + "; allowed: positive numbers");
  constexpr int64_t kLargestGrid = 65535;
  if (call.n_batch > kLargestGrid)
    refuse("batch is " + std::to_string(call.n_batch) + "; allowed: " + std::to_string(kLargestGrid));
  check_32_bits("Q", call.q, call.n_queries);
  check_32_bits("K", call.k, call.n_keys);
  if (call.has_bias) check_32_bits("bias", call.bias, call.n_queries);
}

}  // namespace routekit::rocm
