// Every kernel of linear layers against sums in float64, on tensors without a spare byte, from several threads.
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "checks.h"
#include "cpu/instruction_sets.h"
#include "expect.h"
#include "fake_runtime.h"

namespace {

using namespace routekit;

double weight_of(const Linear& call, const std::vector<uint8_t>& packed, int64_t k, int64_t n) {
  const int64_t per_step = call.bits == 8 ? 4 : 2, bytes = call.bits / 8;
  const int64_t step = n / 16 * call.n_steps() + k / per_step;
  const uint8_t* at = packed.data() + step * 64 + (n % 16 * per_step + k % per_step) * bytes;
  return call.bits == 8 ? *at - 128 : static_cast<int16_t>(at[0] | at[1] << 8);
}

// x rotated as the kernel does it, by the definition: entry (i, j) of the matrix is -1 to the number of common bits.
std::vector<double> rotated(const float* x, int64_t n) {
  std::vector<double> out(x, x + n);
  for (double& value : out) value *= 8;
  for (int64_t first = 0; first + kRotated <= n; first += kRotated)
    for (int64_t i = 0; i < kRotated; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < kRotated; ++j) sum += (__builtin_popcountll(i & j) % 2 ? -1 : 1) * x[first + j];
      out[static_cast<size_t>(first + i)] = sum;
    }
  return out;
}

double worst_error(const Linear& call, const std::vector<uint8_t>& packed) {
  double worst = 0;
  for (int64_t r = 0; r < call.n_rows; ++r) {
    std::vector<double> row = rotated(call.x + r * call.depth, call.depth);
    double largest = 1e-30;
    for (double x : row) largest = std::max(largest, std::fabs(x));
    for (int64_t n = 0; n < call.n_columns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < call.depth; ++k)
        sum += std::nearbyint(row[static_cast<size_t>(k)] / largest * call.limit()) * weight_of(call, packed, k, n);
      const double error = std::fabs(call.out[r * call.n_columns + n] - sum * call.scales[n] * largest / call.limit());
      worst = std::isnan(error) ? INFINITY : std::max(worst, error / largest);
    }
  }
  return worst;
}

void run_case(int64_t n_rows, int64_t depth, int64_t n_columns, int64_t bits, const char* isa) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  std::vector<float> x(static_cast<size_t>(n_rows * depth)), scales(static_cast<size_t>(n_columns), 0.01f);
  std::vector<float> out(static_cast<size_t>(n_rows * n_columns), NAN);
  for (float& value : x) value = normal(random);
  Linear call{n_rows, depth, n_columns, bits, x.data(), nullptr, scales.data(), out.data()};
  std::vector<uint8_t> packed(static_cast<size_t>(call.n_panels() * call.n_steps() * 64));
  for (size_t i = 0; i < packed.size(); ++i)  // of 16 bits, the upper byte stays small
    packed[i] = bits == 16 && i % 2 ? static_cast<uint8_t>(random() % 2) : static_cast<uint8_t>(random());
  call.weights = packed.data();
  ort::KernelContext context{{}, {}, nullptr, 4};
  const auto run = [](void* pool, void (*task)(void*, size_t), void* work, size_t n) {
    fake::parallel_for(static_cast<ort::KernelContext*>(pool), task, n, 0, work);
  };
  cpu::launch(call, cpu::choose_linear_kernels(), {run, &context});
  const double error = worst_error(call, packed);  // a number or two may round the other way
  EXPECT(error <= (bits == 8 ? 0.05 : 0.01), "%s: error %g, %d rows, depth %d, columns %d, bits %d", isa, error,
         static_cast<int>(n_rows), static_cast<int>(depth), static_cast<int>(n_columns), static_cast<int>(bits));
}

}  // namespace

int main() {
  for (const char* isa : {"portable", "avx2", "avx512", "avx512_vnni", "avx512_bf16"}) {
    setenv("ROUTEKIT_CK_FA_ISA", isa, 1);
    try {
      cpu::choose_linear_kernels();
      for (int64_t bits : {8, 16})
        for (int64_t n_rows : {0, 1, 7, 71})
          for (int64_t depth : {0, 1, 3, 63, 64, 65, 130, 200})
            for (int64_t n_columns : {0, 1, 15, 16, 17, 50, 300}) run_case(n_rows, depth, n_columns, bits, isa);
    } catch (const BadArgument& skipped) {
      std::printf("%s\n", skipped.what());
    }
  }
  std::printf("linear kernels: %d failures\n", n_failures);
  return n_failures;
}
