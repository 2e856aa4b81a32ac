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

// kRows x kVectors sums stay in registers from the first step to the last.
template <int kRows, int kVectors>
inline void multiply_token_tile(const TokenProduct& product, const RoundedTokens& tokens, int64_t row, int64_t column,
                                const FloatRows& out) {
  Int sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[m][v] = load_ints(product.starts + column + v * kLanes);
  add_products<TokenFours, kRows, kVectors, static_cast<int>(routekit::kTokenPanelColumns)>(
      sums, tokens.words + row * tokens.row_words, tokens.row_words, product.weights + column * product.depth,
      product.depth / routekit::kTokenStepRows);
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
