// Transposed copies between memory that is laid out by query and scratch that is laid out by lane.
#pragma once

#include "simd.h"

namespace {

struct Assign {
  static float apply(float, float x) { return x; }
  static Float apply(Float, Float x) { return x; }
};
struct Add {
  static float apply(float old, float x) { return old + x; }
  static Float apply(Float old, Float x) { return old + x; }
};

// from: [n_rows, n_columns] with stride `from_row`; to: [n_columns, n_rows] with stride `to_row`, which gets
// Update(to, factor * from^T).
template <class Update>
void transpose_edge(const float* from, int64_t from_row, int64_t n_rows, int64_t n_columns, float factor, float* to,
                    int64_t to_row) {
  for (int64_t r = 0; r < n_rows; ++r)
    for (int64_t c = 0; c < n_columns; ++c) {
      float& target = to[c * to_row + r];
      target = Update::apply(target, from[r * from_row + c] * factor);
    }
}

template <class Update>
void transpose_square(const float* from, int64_t from_row, float factor, float* to, int64_t to_row) {
  Float rows[kLanes];
#pragma GCC unroll 16
  for (int r = 0; r < kLanes; ++r) rows[r] = load(from + r * from_row) * factor;
  transpose(rows);
#pragma GCC unroll 16
  for (int c = 0; c < kLanes; ++c) store(to + c * to_row, Update::apply(load(to + c * to_row), rows[c]));
}

template <class Update>
void transpose_copy(const float* from, int64_t from_row, int64_t n_rows, int64_t n_columns, float factor, float* to,
                    int64_t to_row) {
  const int64_t whole = n_columns / kLanes * kLanes;
  int64_t r = 0;
  for (; r + kLanes <= n_rows; r += kLanes) {
    for (int64_t c = 0; c < whole; c += kLanes)
      transpose_square<Update>(from + r * from_row + c, from_row, factor, to + c * to_row + r, to_row);
    transpose_edge<Update>(from + r * from_row + whole, from_row, kLanes, n_columns - whole, factor,
                           to + whole * to_row + r, to_row);
  }
  transpose_edge<Update>(from + r * from_row, from_row, n_rows - r, n_columns, factor, to + r, to_row);
}

}  // namespace
