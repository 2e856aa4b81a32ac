// Operands of the products in float32: keys, values and weights are used where they lie.
#pragma once

#include <cstddef>

#include "product.h"

namespace {

struct FloatWords {
  using Word = float;
  static constexpr int kExpTerms = 6;

  static size_t scratch_words(int64_t, int64_t) { return 0; }
  static int64_t n_steps(int64_t n) { return n; }
  static Float multiply_add(Word left, const Word* right, Float sum) { return broadcast(left) * load(right) + sum; }

  // left[key, dim], left[dim, key], right[step, query]
  static Strided<Word> keys(const float* k, int64_t row, int64_t, int64_t, Word*) { return {k, row, 1}; }
  static Strided<Word> values(const float* v, int64_t row, int64_t, int64_t, Word*) { return {v, 1, row}; }
  template <int kWidth>
  static const Word* steps(float* rows, int64_t) {
    return rows;
  }
};

}  // namespace
