// Every kernel of encoder layers against the formulas in float64, on tensors without a spare byte, on several threads.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "checks.h"
#include "cpu/instruction_sets.h"
#include "expect.h"
#include "fake_runtime.h"

namespace {

using namespace routekit;
using Floats = std::vector<float>;
using Rows = std::vector<std::vector<double>>;

std::mt19937 generator;

Floats normal(int64_t n, float size, float middle = 0) {
  std::normal_distribution<float> distribution(middle, size);
  Floats x(static_cast<size_t>(n));
  for (float& value : x) value = distribution(generator);
  return x;
}

void on_threads(void* pool, void (*task)(void*, size_t), void* work, size_t n) {
  fake::parallel_for(static_cast<ort::KernelContext*>(pool), task, n, 0, work);
}

struct Weights {
  int64_t depth, n_columns;
  int32_t zero;
  std::vector<int8_t> numbers;  // packed
  std::vector<int32_t> starts;
  Floats scales, bias, factors;

  Weights(int64_t rows, int64_t columns, int32_t zero_point)
      : depth(rows), n_columns(columns), zero(zero_point), numbers(static_cast<size_t>(rows * columns)) {
    for (int8_t& number : numbers) number = static_cast<int8_t>(static_cast<int>(generator() % 255) - 127);
    for (int64_t n = 0; n < columns; ++n) {
      int32_t sum = 0;
      for (int64_t k = 0; k < rows; ++k) sum += at(k, n);
      starts.push_back(-zero * sum);
    }
    const float size = 1.0f / (127.0f * std::sqrt(static_cast<float>(rows)) * static_cast<float>(255 - zero));
    scales = Floats(static_cast<size_t>(columns), size);
    bias = normal(columns, 0.2f);
    factors = normal(rows, 0.1f, 1.0f);
  }

  int at(int64_t k, int64_t n) const {
    return numbers[static_cast<size_t>(((n / 16 * (depth / 4) + k / 4) * 16 + n % 16) * 4 + k % 4)];
  }
  TokenProduct product() const {
    return {depth, n_columns, zero, numbers.data(), starts.data(), scales.data(), bias.data(), factors.data()};
  }

  std::vector<double> apply(const std::vector<double>& x) const {
    double range = 1e-6;
    for (int64_t k = 0; k < depth; ++k) range = std::max(range, std::fabs(x[k] * factors[k]));
    std::vector<double> out;
    for (int64_t n = 0; n < n_columns; ++n) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += std::max(-double(zero), std::nearbyint(x[k] * factors[k] / range * (255 - zero))) * at(k, n);
      out.push_back(sum * scales[n] * range + bias[n]);
    }
    return out;
  }
};

// A layer with its tensors; y is filled by `run`.
struct Case {
  int64_t n_batch, n_tokens, hidden, inner, n_heads;
  Weights qkv{hidden, 3 * hidden, 127}, out{hidden, hidden, 127}, up{hidden, inner, 128}, down{inner, hidden, 14};
  Floats gains = normal(2 * hidden, 0.2f, 1.0f), shifts = normal(2 * hidden, 0.2f), x, y;
  std::vector<int64_t> mask;

  Case(int64_t batch, int64_t tokens, int64_t width, int64_t inner_width, int64_t heads)
      : n_batch(batch), n_tokens(tokens), hidden(width), inner(inner_width), n_heads(heads) {
    x = normal(batch * tokens * hidden, 1.0f);
    mask.assign(static_cast<size_t>(batch * tokens), 1);
  }

  void run() {
    y.assign(x.size(), NAN);
    const Norm first{gains.data(), shifts.data()}, second{gains.data() + hidden, shifts.data() + hidden};
    const Layer layer{n_batch,      n_tokens,       hidden,      inner,         n_heads,
                      1e-12f,       x.data(),       mask.data(), qkv.product(), out.product(),
                      up.product(), down.product(), first,       second,        y.data()};
    ort::KernelContext context{{}, {}, nullptr, 4};
    cpu::launch(layer, cpu::choose_layer_kernels(), {on_threads, &context});
  }

  std::vector<double> row(const Floats& from, int64_t r) const {
    return {from.begin() + r * hidden, from.begin() + (r + 1) * hidden};
  }
};

std::vector<double> normalised(std::vector<double> x, const std::vector<double>& residual, const Case& c,
                               int64_t norm) {
  double mean = 0, square = 0;
  const double n = static_cast<double>(c.hidden);
  for (size_t i = 0; i < x.size(); ++i) x[i] += residual[i], mean += x[i] / n;
  for (double value : x) square += (value - mean) * (value - mean) / n;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t at = static_cast<size_t>(norm * c.hidden) + i;
    x[i] = (x[i] - mean) / std::sqrt(square + 1e-12) * c.gains[at] + c.shifts[at];
  }
  return x;
}

// What one query gets of the values of its sequence; where all are hidden, all weigh alike.
std::vector<double> attended(const Case& c, const Rows& qkv, int64_t query, const int64_t* mask) {
  std::vector<double> out(static_cast<size_t>(c.hidden));
  const int64_t dims = c.hidden / c.n_heads;
  const bool any = std::any_of(mask, mask + c.n_tokens, [](int64_t seen) { return seen != 0; });
  for (int64_t h = 0; h < c.n_heads; ++h) {
    std::vector<double> weights;
    double total = 0;
    for (int64_t j = 0; j < c.n_tokens; ++j) {
      double score = 0;
      for (int64_t d = h * dims; d < (h + 1) * dims; ++d) score += qkv[query][d] * qkv[j][c.hidden + d];
      weights.push_back(!any ? 1.0 : mask[j] ? std::exp(score / std::sqrt(double(dims))) : 0.0);
      total += weights.back();
    }
    for (int64_t j = 0; j < c.n_tokens; ++j)
      for (int64_t d = h * dims; d < (h + 1) * dims; ++d) out[d] += weights[j] / total * qkv[j][2 * c.hidden + d];
  }
  return out;
}

std::vector<double> finished(const Case& c, const std::vector<double>& context, const std::vector<double>& x) {
  const std::vector<double> middle = normalised(c.out.apply(context), x, c, 0);
  std::vector<double> inner = c.up.apply(middle);
  for (double& value : inner) value *= 0.5 * (1 + std::erf(value / std::sqrt(2.0)));
  return normalised(c.down.apply(inner), middle, c, 1);
}

double middle_of(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
  return x[x.size() / 2];
}

// A number that was rounded the other way moves its row by little, and by attention those of its sequence. Gives the
// error that is usual.
double compare(const Case& c, const char* isa) {
  double worst = 0;
  std::vector<double> errors;
  for (int64_t s = 0; s < c.n_batch; ++s) {
    Rows qkv;
    for (int64_t i = 0; i < c.n_tokens; ++i) qkv.push_back(c.qkv.apply(c.row(c.x, s * c.n_tokens + i)));
    for (int64_t i = 0; i < c.n_tokens; ++i) {
      const int64_t row = s * c.n_tokens + i;
      const std::vector<double> context = attended(c, qkv, i, c.mask.data() + s * c.n_tokens);
      const std::vector<double> expected = finished(c, context, c.row(c.x, row)), found = c.row(c.y, row);
      for (size_t d = 0; d < found.size(); ++d) {
        errors.push_back(std::isnan(found[d]) ? INFINITY : std::fabs(found[d] - expected[d]));
        worst = std::max(worst, errors.back());
      }
    }
  }
  const double usual = errors.empty() ? 0 : middle_of(errors);
  EXPECT(worst < 0.1 && usual < 2e-3, "%s: worst %g, usual %g, batch %d, tokens %d, hidden %d, inner %d", isa, worst,
         usual, static_cast<int>(c.n_batch), static_cast<int>(c.n_tokens), static_cast<int>(c.hidden),
         static_cast<int>(c.inner));
  return usual;
}

void test_layers_of_every_size(const char* isa) {
  std::vector<double> usual;
  for (int64_t n_batch : {0, 1, 3})
    for (int64_t n_tokens : {0, 1, 5, 17, 133})
      for (int64_t hidden : {16, 48, 112})
        for (int64_t inner : {16, 80}) {
          Case c(n_batch, n_tokens, hidden, inner, hidden == 16 ? 1 : 4);
          for (size_t i = 0; i < c.mask.size(); ++i) c.mask[i] = i % 7 != 3;
          c.run();
          if (c.n_batch * c.n_tokens > 0) usual.push_back(compare(c, isa));
        }
  EXPECT(middle_of(usual) < 1e-6, "%s: %g, most calls should agree to the last bits", isa, middle_of(usual));
}

void test_tokens_that_are_all_hidden_weigh_alike(const char* isa) {
  Case c(3, 9, 32, 64, 2);
  std::fill(c.mask.begin() + 9, c.mask.begin() + 18, 0);
  c.run();
  compare(c, isa);
}

// To the last bit: neighbours in a batch and padding behind a sequence change nothing.
void test_sequences_do_not_depend_on_their_neighbours(const char* isa) {
  Case together(5, 40, 64, 96, 2);
  for (int64_t i = 23; i < 40; ++i) together.mask[static_cast<size_t>(40 + i)] = 0;
  together.run();
  Case alone = together;
  alone.n_batch = 1, alone.n_tokens = 23;
  alone.x.assign(together.x.begin() + 40 * 64, together.x.begin() + 63 * 64);
  alone.mask.assign(23, 1);
  alone.run();
  EXPECT(std::memcmp(alone.y.data(), together.y.data() + 40 * 64, 23 * 64 * sizeof(float)) == 0, "%s", isa);
}

// The largest bytes times weights of one sign for each column, which the norm then tells apart.
void test_largest_sums_do_not_overflow(const char* isa) {
  Case c(1, 2, 16, 4096, 1);
  for (size_t i = 0; i < c.down.numbers.size(); ++i) c.down.numbers[i] = i / 4 % 2 ? 127 : -127;
  for (size_t n = 0; n < c.down.starts.size(); ++n) c.down.starts[n] = -c.down.zero * (n % 2 ? 127 : -127) * 4096;
  std::fill(c.up.bias.begin(), c.up.bias.end(), 1e6f);
  c.run();
  compare(c, isa);
}

void test_what_is_not_finite_is_not_hidden(const char* isa) {
  for (float value : {NAN, INFINITY, -INFINITY}) {
    Case c(2, 6, 32, 32, 2);
    c.x[10] = value;
    c.run();
    for (size_t i = 0; i < c.y.size(); ++i)
      EXPECT(std::isnan(c.y[i]) == (i < 6 * 32), "%s: %g at %d gives %g", isa, static_cast<double>(value),
             static_cast<int>(i), static_cast<double>(c.y[i]));
  }
}

void test_input_adds_up_and_normalises(const char* isa) {
  const int64_t n_batch = 3, n_tokens = 21, hidden = 48, n_rows = n_batch * n_tokens;
  const Floats kinds = normal(4 * hidden, 1), places = normal(30 * hidden, 1), scales = normal(n_rows, 0.01f),
               gains = normal(hidden, 1), shifts = normal(hidden, 1);
  std::vector<int8_t> words(static_cast<size_t>(n_rows * hidden));
  for (int8_t& word : words) word = static_cast<int8_t>(static_cast<int>(generator() % 256) - 128);
  std::vector<int64_t> kind(static_cast<size_t>(n_rows));
  for (int64_t& row : kind) row = generator() % 4;
  Floats y(words.size(), NAN);
  const EncoderInput input{n_batch,       n_tokens,    hidden,       1e-12f,        words.data(),
                           scales.data(), kind.data(), kinds.data(), places.data(), {gains.data(), shifts.data()},
                           y.data()};
  ort::KernelContext context{{}, {}, nullptr, 4};
  cpu::launch(input, cpu::choose_layer_kernels(), {on_threads, &context});
  for (int64_t r = 0; r < n_rows; ++r) {
    std::vector<double> row;
    double mean = 0, square = 0;
    for (int64_t i = 0; i < hidden; ++i) {
      row.push_back(double(scales[r]) * words[r * hidden + i] + kinds[kind[r] * hidden + i] +
                    places[r % n_tokens * hidden + i]);
      mean += row.back() / hidden;
    }
    for (double x : row) square += (x - mean) * (x - mean) / hidden;
    for (int64_t i = 0; i < hidden; ++i) {
      const double error = y[r * hidden + i] - ((row[i] - mean) / std::sqrt(square + 1e-12) * gains[i] + shifts[i]);
      EXPECT(std::fabs(error) < 1e-5, "%s: %g in row %d", isa, error, static_cast<int>(r));
    }
  }
}

}  // namespace

int main() {
  for (const char* isa : {"portable", "avx2", "avx512", "avx512_vnni", "avx512_bf16"}) {
    setenv("ROUTEKIT_CK_FA_ISA", isa, 1);
    try {
      cpu::choose_layer_kernels();
      test_layers_of_every_size(isa);
      test_tokens_that_are_all_hidden_weigh_alike(isa);
      test_sequences_do_not_depend_on_their_neighbours(isa);
      test_largest_sums_do_not_overflow(isa);
      test_what_is_not_finite_is_not_hidden(isa);
      test_input_adds_up_and_normalises(isa);
    } catch (const BadArgument& skipped) {
      std::printf("%s\n", skipped.what());
    }
  }
  std::printf("layer kernels: %d failures\n", n_failures);
  return n_failures;
}
