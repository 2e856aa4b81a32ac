// A block of rows: rotated, quantised, multiplied with the weights panel by panel, scaled back.
//
// Lanes are columns. A step is the few numbers of a row that one instruction multiplies with as many of each column:
// they are read as one word and broadcast.
#pragma once

#include <cstring>

#include "linear.h"
#include "linear_launch.h"
#include "numbers.h"
#include "rotation.h"

namespace {

using routekit::kPanelColumns;
using routekit::kStepBytes;
using routekit::Linear;

constexpr float kRoundingBits = 12582912.0f;  // 1.5 * 2^23: added, it leaves no bits for a fraction
constexpr float kSmallestRow = 1e-30f;        // below, a row is taken for zero

inline Float to_float(Int x) { return __builtin_convertvector(x, Float); }

// Quantised rows of a block, and what brings their products back.
template <class Numbers>
struct Rows {
  typename Numbers::Word* words;  // [n_rows, row_words]
  float* scales;                  // [n_rows]
  int32_t* corrections;           // [n_rows], subtracted from every sum
  int64_t row_words;
};

template <class Numbers>
inline void quantise_row(const Linear& call, const float* x, float* rotated, typename Numbers::Word* words,
                         float* scale, int32_t* correction) {
  const float largest = rotate(x, call.depth, rotated);
  const float limit = static_cast<float>(call.limit());
  const float range = largest < kSmallestRow ? kSmallestRow : largest;  // NaN stays NaN
  const float factor = limit / range;
  Int total{};
  const int64_t n_padded = call.n_steps() * Numbers::kStep;
  for (int64_t k = 0; k < n_padded; k += kLanes) {
    // As bits, the sum is kRoundingBits' own plus the whole number; NaN gives any number, which scale makes NaN again.
    const Float shifted = load(rotated + k) * factor + kRoundingBits;
    Int number = reinterpret_cast<Int>(shifted) - reinterpret_cast<Int>(broadcast(kRoundingBits));
    number = (number > 32767) | (number < -32767) ? Int{} : number;
    Numbers::put(number, words, k);
    total += number;
  }
  *scale = range / limit;
  *correction = 0;
  for (int lane = 0; Numbers::kBits == 8 && lane < kLanes; ++lane) *correction += 128 * total[lane];
}

// out = the sums of one row, scaled back, for the columns from `column` on that there are.
template <int kVectors>
inline void store_sums(const Linear& call, const Int (&sums)[kVectors], int32_t correction, float row_scale,
                       int64_t column, float* out) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v, column += kLanes, out += kLanes) {
    const Float value = to_float(sums[v] - correction);
    const int64_t left = call.n_columns - column;
    if (left >= kLanes) {
      store(out, value * load(call.scales + column) * row_scale);
    } else {
      for (int64_t i = 0; i < left; ++i) out[i] = value[i] * call.scales[column + i] * row_scale;
    }
  }
}

// kRows x kVectors sums stay in registers from the first step to the last.
template <class Numbers, int kRows, int kVectors>
inline void multiply_tile(const Linear& call, const Rows<Numbers>& rows, int64_t row, const uint8_t* panel,
                          int64_t column, float* out) {
  Int sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[m][v] = Int{};
  add_products<Numbers, kRows, kVectors, static_cast<int>(kPanelColumns)>(sums, rows.words + row * rows.row_words,
                                                                          rows.row_words, panel, call.n_steps());
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
    store_sums(call, sums[m], rows.corrections[row + m], rows.scales[row + m], column, out + m * call.n_columns);
}

// As many rows as fit at a time, then half as many, and so on.
template <class Numbers, int kRows, int kVectors>
inline void multiply_rows_of(const Linear& call, const Rows<Numbers>& rows, int64_t row, int64_t end,
                             const uint8_t* panel, int64_t column, float* out) {
  for (; row + kRows <= end; row += kRows, out += kRows * call.n_columns)
    multiply_tile<Numbers, kRows, kVectors>(call, rows, row, panel, column, out);
  if constexpr (kRows > 1) multiply_rows_of<Numbers, kRows / 2, kVectors>(call, rows, row, end, panel, column, out);
}

// kVectors vectors are one panel, or several where there are as many left.
template <class Numbers, int kRows, int kVectors>
struct LinearBlock {
  using Word = typename Numbers::Word;
  static constexpr int64_t kPanels = kVectors * kLanes / kPanelColumns;
  static constexpr int kOnePanel = static_cast<int>(kPanelColumns / kLanes);
  static constexpr int64_t kBlockRows = 4 * kRows;

  static int64_t row_words(const Linear& call) {  // of whole vectors
    return (call.n_steps() * Numbers::kStep + kLanes - 1) / kLanes * kLanes / Numbers::kStep * Numbers::kWords;
  }
  static int64_t padded_depth(const Linear& call) { return (call.depth + 2 * kLanes) / kLanes * kLanes; }

  static size_t scratch_bytes(const Linear& call) {
    const int64_t words = kBlockRows * row_words(call) * static_cast<int64_t>(sizeof(Word));
    return static_cast<size_t>(words + 4 * (padded_depth(call) + 2 * kBlockRows));
  }

  static void run(const Linear& call, int64_t first_row, int64_t first_panel, int64_t end_panel, void* scratch) {
    float* rotated = static_cast<float*>(scratch);
    float* scales = rotated + padded_depth(call);
    int32_t* corrections = reinterpret_cast<int32_t*>(scales + kBlockRows);
    const Rows<Numbers> rows{reinterpret_cast<Word*>(corrections + kBlockRows), scales, corrections, row_words(call)};
    const int64_t left = call.n_rows - first_row, n_rows = left < kBlockRows ? left : kBlockRows;
    std::memset(rotated, 0, static_cast<size_t>(padded_depth(call)) * sizeof(float));
    for (int64_t r = 0; r < n_rows; ++r)
      quantise_row<Numbers>(call, call.x + (first_row + r) * call.depth, rotated, rows.words + r * rows.row_words,
                            scales + r, corrections + r);
    int64_t panel = first_panel;
    for (; panel + kPanels <= end_panel; panel += kPanels)
      multiply_panels<kVectors>(call, rows, first_row, n_rows, panel);
    for (; panel < end_panel; ++panel) multiply_panels<kOnePanel>(call, rows, first_row, n_rows, panel);
  }

 private:
  template <int kWide>
  static void multiply_panels(const Linear& call, const Rows<Numbers>& rows, int64_t first_row, int64_t n_rows,
                              int64_t panel) {
    const int64_t column = panel * kPanelColumns;
    multiply_rows_of<Numbers, kRows, kWide>(call, rows, 0, n_rows, call.weights + panel * call.n_steps() * kStepBytes,
                                            column, call.out + first_row * call.n_columns + column);
  }
};

template <class Numbers, int kRows, int kVectors>
routekit::cpu::LinearKernel linear_kernel() {
  using Chosen = LinearBlock<Numbers, kRows, kVectors>;
  return {Chosen::kBlockRows, Chosen::scratch_bytes, Chosen::run};
}

}  // namespace
