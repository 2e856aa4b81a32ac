// Layer normalisation of one row.
#pragma once

#include "layer.h"
#include "simd.h"

namespace {

using routekit::Norm;

inline float sum_of_lanes(Float x) {
  float sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += x[lane];
  return sum;
}

// row = norm(row + residual)
inline void add_and_normalise(float* row, const float* residual, const Norm& norm, int64_t n, float epsilon) {
  Float total{}, squares{};
  for (int64_t i = 0; i < n; i += kLanes) {
    const Float sum = load(row + i) + load(residual + i);
    store(row + i, sum);
    total += sum;
  }
  const float mean = sum_of_lanes(total) / static_cast<float>(n);
  for (int64_t i = 0; i < n; i += kLanes) {
    const Float centred = load(row + i) - mean;
    squares += centred * centred;
  }
  const float factor = 1.0f / __builtin_sqrtf(sum_of_lanes(squares) / static_cast<float>(n) + epsilon);
  for (int64_t i = 0; i < n; i += kLanes)
    store(row + i, (load(row + i) - mean) * factor * load(norm.gain + i) + load(norm.shift + i));
}

}  // namespace
