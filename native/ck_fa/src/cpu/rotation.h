// Blocks of a row times a Hadamard matrix, by the fast transform: log2(64) rounds of sums and differences.
#pragma once

#include <utility>

#include "linear.h"
#include "simd.h"

namespace {

constexpr int kBlockVectors = static_cast<int>(routekit::kRotated) / kLanes;

template <int distance, int... i>
inline Float from_afar(Float x, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(x, x, (i ^ distance)...);
}

// Sums and differences of lanes that are `distance` apart, and of those twice as far, and so on.
template <int distance>
inline Float combine_lanes(Float x) {
  if constexpr (distance == kLanes) {
    return x;
  } else {
    const Float sign = pick((lane_numbers() & distance) == 0, broadcast(1.0f), broadcast(-1.0f));
    const Float other = from_afar<distance>(x, std::make_integer_sequence<int, kLanes>{});
    return combine_lanes<2 * distance>(x * sign + other);
  }
}

inline void combine_vectors(Float (&block)[kBlockVectors]) {
#pragma GCC unroll 4
  for (int distance = 1; distance < kBlockVectors; distance *= 2)
#pragma GCC unroll 16
    for (int v = 0; v < kBlockVectors; ++v)
      if (!(v & distance)) {
        const Float a = block[v], b = block[v + distance];
        block[v] = a + b, block[v + distance] = a - b;
      }
}

// Largest magnitude, NaN when any number was not finite.
struct Range {
  Float largest{}, poison{};

  void take(Float x) {
    largest = larger(largest, x > 0.0f ? x : -x);
    poison += x * 0.0f;
  }
  float value() const {
    float most = 0, sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) most = largest[lane] > most ? largest[lane] : most, sum += poison[lane];
    return most + sum;
  }
};

// out = x, rotated in whole blocks and 8 times as long; gives the range. `out` is zero from n to the end of its last
// vector.
inline float rotate(const float* x, int64_t n, float* out) {
  Range range;
  int64_t k = 0;
  for (; k + routekit::kRotated <= n; k += routekit::kRotated) {
    Float block[kBlockVectors];
    for (int v = 0; v < kBlockVectors; ++v) block[v] = combine_lanes<1>(load(x + k + v * kLanes));
    combine_vectors(block);
    for (int v = 0; v < kBlockVectors; ++v) range.take(block[v]), store(out + k + v * kLanes, block[v]);
  }
  const int64_t whole = k;
  for (; k < n; ++k) out[k] = 8.0f * x[k];
  for (k = whole; k < n; k += kLanes) range.take(load(out + k));
  return range.value();
}

}  // namespace
