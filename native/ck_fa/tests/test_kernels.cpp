// Every kernel against float64, on tensors without a spare byte, from several threads: for the sanitizers.
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "checks.h"
#include "cpu/instruction_sets.h"
#include "expect.h"
#include "fake_runtime.h"

namespace {

using namespace routekit;

struct Case {
  Shape q, k, bias;
  Settings settings;
  float masked;  // every third bias
};

std::vector<float> draw(std::mt19937& random, const Shape& shape) {
  std::normal_distribution<float> normal;
  size_t n = 1;
  for (int64_t size : shape) n *= static_cast<size_t>(size);
  std::vector<float> values(n);
  for (float& x : values) x = normal(random);
  return values;
}

// The row of out for one query, in float64.
std::vector<double> exact_row(const Attention& call, const Operands& data, int64_t b, int64_t h, int64_t i) {
  const float* q = static_cast<const float*>(data.q) + call.q.offset(b, h, i);
  std::vector<double> scores, out(static_cast<size_t>(call.head_dim));
  double highest = -INFINITY, total = 0;
  for (int64_t j = 0; j < call.n_keys; ++j) {
    const float* k = static_cast<const float*>(data.k) + call.k.offset(b, h, j);
    double score = 0;
    for (int64_t d = 0; d < call.head_dim; ++d) score += static_cast<double>(q[d]) * k[d];
    score *= call.scale;
    if (call.has_bias) score += (static_cast<const float*>(data.bias) + call.bias.offset(b, h, i))[j];
    const bool hidden = (call.window_left >= 0 && j < i - call.window_left) ||
                        (call.window_right >= 0 && j > i + call.window_right) || score < -2.3e38;
    scores.push_back(hidden ? -INFINITY : score);
    highest = std::max(highest, scores.back());
  }
  for (int64_t j = 0; j < call.n_keys && highest != -INFINITY; ++j) {
    const double weight = std::exp(scores[static_cast<size_t>(j)] - highest);
    const float* v = static_cast<const float*>(data.v) + call.v.offset(b, h, j);
    for (int64_t d = 0; d < call.head_dim; ++d) out[static_cast<size_t>(d)] += weight * v[d];
    total += weight;
  }
  for (double& x : out) x = total > 0 ? x / total : 0;
  return out;
}

double worst_error(const Attention& call, const Operands& data) {
  double worst = 0;
  for (int64_t b = 0; b < call.n_batch; ++b)
    for (int64_t h = 0; h < call.n_heads; ++h)
      for (int64_t i = 0; i < call.n_queries; ++i) {
        const std::vector<double> exact = exact_row(call, data, b, h, i);
        const float* out = static_cast<const float*>(data.out) + call.out.offset(b, h, i);
        for (size_t d = 0; d < exact.size(); ++d) {
          const double error = std::fabs(out[d] - exact[d]);
          worst = std::isnan(error) ? INFINITY : std::max(worst, error);
        }
      }
  return worst;
}

void run_case(const Case& test, const cpu::Kernels& kernels, const char* isa) {
  std::mt19937 random(7);
  const std::vector<float> q = draw(random, test.q), k = draw(random, test.k), v = draw(random, test.k);
  std::vector<float> bias = test.bias.empty() ? std::vector<float>{} : draw(random, test.bias);
  for (size_t i = 0; i < bias.size(); i += 3) bias[i] = test.masked;
  std::vector<float> out(q.size(), NAN);
  const Attention call =
      check_attention(test.settings, test.q, test.k, test.k, test.bias.empty() ? nullptr : &test.bias);
  const Operands data{q.data(), k.data(), v.data(), bias.data(), out.data()};
  ort::KernelContext context{{}, {}, nullptr, 4};
  const auto run = [](void* pool, void (*task)(void*, size_t), void* work, size_t n) {
    fake::parallel_for(static_cast<ort::KernelContext*>(pool), task, n, 0, work);
  };
  cpu::launch(call, data, kernels.choose(call), {run, &context});
  const double error = worst_error(call, data);
  EXPECT(error <= (test.settings.allow_bf16 ? 4e-2 : 6e-6), "%s: error %g, D %d, keys %d, windows %d %d", isa, error,
         static_cast<int>(test.q[3]), static_cast<int>(test.k[2]), static_cast<int>(call.window_left),
         static_cast<int>(call.window_right));
}

std::vector<Case> cases() {
  const float lowest = -3.4028234e38f;
  std::vector<Case> all;
  for (bool bf16 : {false, true})
    for (int64_t d : {1, 7, 16, 33, 64, 80, 128})
      for (int64_t window : {-1, 0, 17, 64}) {
        const Settings settings{0, window, window, bf16};
        all.push_back({{2, 2, 131, d}, {2, 2, 131, d}, {}, settings, 0});
        all.push_back({{2, 1, 50, d}, {2, 1, 301, d}, {2, 1, 1, 301}, settings, -INFINITY});
        all.push_back({{1, 2, 420, d}, {1, 2, 37, d}, {1, 1, 420, 37}, settings, lowest});
        all.push_back({{1, 1, 1, d}, {1, 1, 1, d}, {1, 1, 1, 1}, settings, lowest});
        all.push_back({{1, 2, 3, d}, {1, 2, 0, d}, {}, settings, 0});
      }
  all.push_back({{0, 2, 3, 8}, {0, 2, 4, 8}, {}, {}, 0});
  all.push_back({{1, 2, 3, 0}, {1, 2, 4, 0}, {}, {}, 0});
  all.push_back({{2, 2, 90, 16}, {2, 2, 90, 16}, {}, {0.5f, 3, -1, false}, 0});
  all.push_back({{2, 2, 90, 16}, {2, 2, 90, 16}, {}, {0.5f, -1, 0, true}, 0});
  return all;
}

}  // namespace

int main() {
  for (const char* isa : {"portable", "avx2", "avx512", "avx512_vnni", "avx512_bf16"}) {
    setenv("ROUTEKIT_CK_FA_ISA", isa, 1);
    try {
      const cpu::Kernels kernels = cpu::choose_kernels();
      for (const Case& test : cases()) run_case(test, kernels, isa);
      std::printf("%s: %zu cases\n", isa, cases().size());
    } catch (const BadArgument& skipped) {
      std::printf("%s\n", skipped.what());
    }
  }
  return n_failures;
}
