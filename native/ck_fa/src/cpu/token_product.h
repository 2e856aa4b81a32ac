// Products of a block of tokens with the weights, panel by panel. Lanes are columns.
#pragma once

#include "tokens.h"

namespace {

constexpr int kPanelVectors = static_cast<int>(routekit::kTokenPanelColumns) / kLanes;

// Tokens of a block, rounded.
struct RoundedTokens {
  TokenFours::Word* words;  // [n_rows, row_words]
  float* ranges;            // [n_rows]
  int64_t row_words;
};

struct FloatRows {
  float* data;
  int64_t stride;

  float* row(int64_t r) const { return data + r * stride; }
};

inline Int load_ints(const void* from) {
  typedef int32_t InMemoryInt __attribute__((vector_size(kLanes * 4), aligned(1), may_alias));
  return *static_cast<const InMemoryInt*>(from);
}

// kRows x kVectors sums stay in registers from the first step to the last.
template <int kRows, int kVectors>
inline void multiply_token_tile(const TokenProduct& product, const RoundedTokens& tokens, int64_t row, int64_t column,
                                const FloatRows& out) {
  constexpr int64_t kStepBytes = routekit::kTokenPanelColumns * routekit::kTokenStepRows;
  const int64_t n_steps = product.depth / routekit::kTokenStepRows, panel_bytes = n_steps * kStepBytes;
  const int8_t* panel = product.weights + column * product.depth;
  const TokenFours::Word* words = tokens.words + row * tokens.row_words;
  Int sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[m][v] = load_ints(product.starts + column + v * kLanes);
  for (int64_t s = 0; s < n_steps; ++s) {
    Int weights[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      weights[v] = load_ints(panel + v / kPanelVectors * panel_bytes + s * kStepBytes + v % kPanelVectors * kLanes * 4);
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
      const auto left = TokenFours::broadcast(words + m * tokens.row_words + s * TokenFours::kWords);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[m][v] = TokenFours::multiply_add(sums[m][v], weights[v], left);
    }
  }
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m) {
    const float range = tokens.ranges[row + m];
    float* to = out.row(row + m) + column;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const int64_t at = column + v * kLanes;
      const Float sum = __builtin_convertvector(sums[m][v], Float);
      store(to + v * kLanes, sum * load(product.scales + at) * range + load(product.bias + at));
    }
  }
}

// As many rows as fit at a time, then half as many, and so on.
template <int kRows, int kVectors>
inline void multiply_token_rows(const TokenProduct& product, const RoundedTokens& tokens, int64_t row, int64_t end,
                                int64_t column, const FloatRows& out) {
  for (; row + kRows <= end; row += kRows) multiply_token_tile<kRows, kVectors>(product, tokens, row, column, out);
  if constexpr (kRows > 1) multiply_token_rows<kRows / 2, kVectors>(product, tokens, row, end, column, out);
}

template <int kRows, int kVectors>
inline void multiply_tokens(const TokenProduct& product, const RoundedTokens& tokens, int64_t n_rows,
                            const FloatRows& out) {
  int64_t column = 0;
  for (; column + kVectors * kLanes <= product.n_columns; column += kVectors * kLanes)
    multiply_token_rows<kRows, kVectors>(product, tokens, 0, n_rows, column, out);
  for (; column < product.n_columns; column += routekit::kTokenPanelColumns)
    multiply_token_rows<kRows, kPanelVectors>(product, tokens, 0, n_rows, column, out);
}

}  // namespace
