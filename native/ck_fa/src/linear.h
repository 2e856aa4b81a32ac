// One linear layer with whole-number weights, as the CPU kernels see it.
//
//   out[r, n] = row_scale(r) * scales[n] * sum over k of quantised(x)[r, k] * weights[k, n]
//
// Every row of x is scaled by its own largest value, so no row depends on another. It is rotated first, in blocks of
// kRotated, by a Hadamard matrix: a channel that is far larger than the others would leave them few steps, and after
// the rotation all are about alike. The weights come rotated the other way.
//
// Plain data, without inline functions: kernels that are compiled for different instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace routekit {

constexpr int64_t kPanelColumns = 16;  // columns of the weights that lie together
constexpr int64_t kStepBytes = 64;     // of one panel: 4 rows of 8 bits, or 2 rows of 16 bits
constexpr int64_t kRotated = 64;

struct Linear {
  int64_t n_rows, depth, n_columns, bits;
  const float* x;          // [n_rows, depth]
  const uint8_t* weights;  // [n_panels, n_steps, 64]: numbers that are 128 too large, or int16 as two bytes
  const float* scales;     // [n_columns]
  float* out;              // [n_rows, n_columns]

  int64_t n_panels() const;
  int64_t n_steps() const;
  // Largest magnitude of a quantised number, such that no sum leaves 32 bits.
  int32_t limit() const;
};

}  // namespace routekit
