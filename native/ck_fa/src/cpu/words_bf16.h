// Operands of the products as pairs of bfloat16: one instruction multiplies both halves of a word and adds both
// products to a float32 sum, twice the rate of float32. Queries, keys, values and weights are rounded to 8 bits of
// mantissa, to nearest; scores, softmax and sums stay float32.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "product.h"

namespace {

struct PairWords {
  using Word = uint32_t;
  static constexpr int kExpTerms = 4;  // 8e-5 beside bfloat16's own 4e-3

  static size_t scratch_words(int64_t n_keys, int64_t head_dim) {
    return static_cast<size_t>((n_keys + 1) / 2 * (head_dim + 1));
  }
  static int64_t n_steps(int64_t n) { return (n + 1) / 2; }

  static Float multiply_add(Word left, const Word* right, Float sum) {
    const __m512i pairs = _mm512_loadu_si512(right);
    return _mm512_dpbf16_ps(sum, as_pairs(_mm512_set1_epi32(static_cast<int>(left))), as_pairs(pairs));
  }

  // left[key, dim]: neighbours in a row are a pair already.
  static Strided<Word> keys(const float* k, int64_t row, int64_t n_keys, int64_t head_dim, Word* packed) {
    const int64_t n_words = n_steps(head_dim);
    for (int64_t j = 0; j < n_keys; ++j) pack_row(k + j * row, head_dim, packed + j * n_words);
    return {packed, n_words, 1};
  }

  // left[dim, key]: a pair is two keys.
  static Strided<Word> values(const float* v, int64_t row, int64_t n_keys, int64_t head_dim, Word* packed) {
    for (int64_t j = 0; j < n_keys; j += 2)
      interleave_rows(v + j * row, j + 1 < n_keys ? v + (j + 1) * row : nullptr, head_dim, packed + j / 2 * head_dim);
    return {packed, 1, head_dim};
  }

  // right[step, query], in place: the pair of rows 2s and 2s + 1 lands on row s, which has been read by then.
  template <int kWidth>
  static const Word* steps(float* rows, int64_t n_rows) {
    Word* words = reinterpret_cast<Word*>(rows);
    for (int64_t r = 0; r < n_rows; r += 2)
      interleave_rows(rows + r * kWidth, r + 1 < n_rows ? rows + (r + 1) * kWidth : nullptr, kWidth,
                      words + r / 2 * kWidth);
    return words;
  }

 private:
  static __m512bh as_pairs(__m512i words) { return reinterpret_cast<__m512bh>(words); }
  static __mmask16 first_lanes(int64_t n) { return static_cast<__mmask16>(n >= kLanes ? 0xffff : (1 << n) - 1); }

  static void pack_row(const float* from, int64_t n, Word* to) {
    for (int64_t i = 0; i < n; i += 2 * kLanes) {
      const Float low = _mm512_maskz_loadu_ps(first_lanes(n - i), from + i);
      const Float high =
          n - i > kLanes ? _mm512_maskz_loadu_ps(first_lanes(n - i - kLanes), from + i + kLanes) : Float{};
      const __m512i words = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
      _mm512_mask_storeu_epi32(to + i / 2, first_lanes(n_steps(n - i)), words);
    }
  }

  // to[i] = (first[i], second[i]); a missing second row is zero.
  static void interleave_rows(const float* first, const float* second, int64_t n, Word* to) {
    alignas(64) static constexpr uint16_t kOrder[32] = {0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
                                                        8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    const __m512i order = _mm512_load_si512(kOrder);
    for (int64_t i = 0; i < n; i += kLanes) {
      const __mmask16 lanes = first_lanes(n - i);
      const Float low = _mm512_maskz_loadu_ps(lanes, first + i);
      const Float high = second ? _mm512_maskz_loadu_ps(lanes, second + i) : Float{};
      const __m512i halves = reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
      _mm512_mask_storeu_epi32(to + i, lanes, _mm512_permutexvar_epi16(order, halves));
    }
  }
};

}  // namespace
