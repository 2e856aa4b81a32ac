// Tokens as bytes: each vector is divided by its own largest magnitude and rounded.
#pragma once

#include "layer.h"
#include "norm.h"
#include "numbers.h"

namespace {

using routekit::TokenProduct;

constexpr float kSmallestRange = 1e-6f;     // a vector of smaller numbers is all zeros
constexpr float kNoFraction = 12582912.0f;  // 1.5 * 2^23: added, it leaves no bits for a fraction

// What one step multiplies: four bytes of a token, not signed, and four of each column of the weights, signed.
struct TokenFours : ByteFours {
#ifdef ROUTEKIT_BYTE_PRODUCTS
  static Int multiply_add(Int sum, Int weights, Int left) { return add_products_of_bytes(sum, left, weights); }
#else
  static Int multiply_add(Int sum, Int weights, const Left& left) {
    typedef int16_t Halves __attribute__((vector_size(kLanes * sizeof(int32_t))));
    const Halves both = reinterpret_cast<Halves>(weights);
    const Int even = reinterpret_cast<Int>(both << 8 >> 8), odd = reinterpret_cast<Int>(both >> 8);
    return add_products_of_shorts(add_products_of_shorts(sum, even, left.even), odd, left.odd);
  }
#endif
};

inline float largest_lane(Float x) {
  float largest = x[0];
  for (int lane = 1; lane < kLanes; ++lane) largest = x[lane] > largest ? x[lane] : largest;
  return largest;
}

// Largest magnitude of x * factors; NaN when any number was not finite.
inline float range_of(const float* x, const float* factors, int64_t depth) {
  Float largest{}, poison{};
  for (int64_t k = 0; k < depth; k += kLanes) {
    const Float even = load(x + k) * load(factors + k);
    largest = larger(largest, larger(even, -even));
    poison += even * 0.0f;
  }
  const float range = largest_lane(largest);
  return (range < kSmallestRange ? kSmallestRange : range) + sum_of_lanes(poison);
}

// Rounds a token; gives its range. What is below the lowest byte becomes that; NaN becomes any bytes, and the range is
// NaN then.
inline float round_token(const TokenProduct& product, const float* x, TokenFours::Word* words) {
  const float range = range_of(x, product.factors, product.depth);
  const float steps = static_cast<float>(255 - product.zero) / range;
  const Float lowest = broadcast(static_cast<float>(-product.zero));
  for (int64_t k = 0; k < product.depth; k += kLanes) {
    const Float even = load(x + k) * load(product.factors + k);
    const Float shifted = larger(even * steps, lowest) + kNoFraction;  // as bits: kNoFraction's own, plus the number
    TokenFours::put((reinterpret_cast<Int>(shifted) + product.zero) & 255, words, k);
  }
  return range;
}

}  // namespace
