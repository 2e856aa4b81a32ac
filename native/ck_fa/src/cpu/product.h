// The matrix product that takes nearly all of the time: out[m, :] = or += sum over s of left[m, s] * right[s, :].
//
// `left` is read one number at a time and broadcast, so it may have any strides: keys and values stay where they are.
// `right` and `out` are scratch, kVectors vectors wide.
#pragma once

#include "simd.h"

namespace {

template <class Word>
struct Strided {
  const Word* data;
  int64_t row, step;
};

// kRows x kVectors sums stay in registers from the first step to the last. They start from zero and are added at the
// end: the error of a long sequence is that of its tiles, not of all its keys.
template <class Words, int kRows, int kVectors>
inline void multiply_rows(Strided<typename Words::Word> left, const typename Words::Word* right, int64_t n_steps,
                          float* out, bool add) {
  constexpr int kWidth = kVectors * kLanes;
  Float sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sums[m][v] = Float{};
  for (int64_t s = 0; s < n_steps; ++s)
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sums[m][v] =
            Words::multiply_add(left.data[m * left.row + s * left.step], right + s * kWidth + v * kLanes, sums[m][v]);
#pragma GCC unroll 16
  for (int m = 0; m < kRows; ++m)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      float* to = out + m * kWidth + v * kLanes;
      store(to, add ? load(to) + sums[m][v] : sums[m][v]);
    }
}

// As many rows as fit at a time, then half as many, and so on.
template <class Words, int kRows, int kVectors>
inline void multiply(Strided<typename Words::Word> left, int64_t n_rows, const typename Words::Word* right,
                     int64_t n_steps, float* out, bool add) {
  int64_t m = 0;
  for (; m + kRows <= n_rows; m += kRows) {
    multiply_rows<Words, kRows, kVectors>(left, right, n_steps, out, add);
    left.data += kRows * left.row;
    out += kRows * kVectors * kLanes;
  }
  if constexpr (kRows > 1) multiply<Words, kRows / 2, kVectors>(left, n_rows - m, right, n_steps, out, add);
}

}  // namespace
