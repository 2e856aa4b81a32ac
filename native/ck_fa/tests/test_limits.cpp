// What check_attention and check_rocm let pass, on shapes that need no memory.
#include <cstdint>
#include <string>

#include "checks.h"
#include "expect.h"
#include "rocm/ck_limits.h"

namespace {

using namespace routekit;

std::string refusal(const Settings& settings, const Shape& q, int64_t n_keys, const Shape& bias = {}) {
  const Shape k{q[0], q[1], n_keys, q[3]};
  try {
    rocm::check_rocm(check_attention(settings, q, k, k, bias.empty() ? nullptr : &bias));
    return "";
  } catch (const BadArgument& error) {
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void test_long_sequences_with_a_padding_bias_pass() {
  EXPECT(refusal({}, {1, 12, 32768, 64}, 32768, {1, 1, 1, 32768}).empty(), "32K");
  EXPECT(refusal({}, {300, 12, 32768, 64}, 32768, {300, 1, 1, 32768}).empty(), "tensors beyond 32 bits");
}

void test_what_32_bits_cannot_address_is_refused() {
  const std::string bias = refusal({}, {2, 12, 32768, 64}, 32768, {2, 12, 32768, 32768});
  EXPECT(contains(bias, "bias spans 12884901888 elements; allowed: 2147483647"), "%s", bias.c_str());
  const std::string rows = refusal({}, {1, 1, 1 << 25, 128}, 8);
  EXPECT(contains(rows, "Q spans 4294967296"), "%s", rows.c_str());
  const std::string batch = refusal({}, {65536, 1, 1, 32}, 1);
  EXPECT(contains(batch, "batch is 65536; allowed: 65535"), "%s", batch.c_str());
}

void test_windows_are_clipped_to_the_sequence() {
  const Shape q{1, 1, 5, 8}, k{1, 1, 9, 8};
  const Attention call = check_attention({0, INT64_MAX, 3, false}, q, k, k, nullptr);
  EXPECT(call.window_left == 9 && call.window_right == 3, "%d", static_cast<int>(call.window_left));
  EXPECT(call.first_key(4) == 0 && call.end_key(5) == 8, "%d", static_cast<int>(call.end_key(5)));
  EXPECT(call.first_key(100) == 9, "%d", static_cast<int>(call.first_key(100)));
}

}  // namespace

int main() {
  test_long_sequences_with_a_padding_bias_pass();
  test_what_32_bits_cannot_address_is_refused();
  test_windows_are_clipped_to_the_sequence();
  std::printf("limits: %d failures\n", n_failures);
  return n_failures;
}
