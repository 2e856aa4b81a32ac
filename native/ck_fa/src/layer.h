// One layer of an encoder with whole-number weights, as the CPU kernels see it.
//
//   [q, k, v] = qkv(x);  a = norm(x + out(attention(q, k, v)));  y = norm(a + down(gelu(up(a))))
//
// where each of the four products rounds a token's vector to bytes by its own largest value, so that no token depends
// on the numbers of another but through attention:
//
//   product(x)[r, n] = bias[n] + range(r) * scales[n] * sum over k of (byte(r, k) - zero) * weights[k, n]
//   byte(r, k) = zero + round((255 - zero) * x[r, k] * factors[k] / range(r))
//   range(r) = largest |x[r, k] * factors[k]|
//
// Plain data, without inline functions: kernels that are compiled for different instruction sets include this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace routekit {

constexpr int64_t kTokenPanelColumns = 16;  // columns of the weights that lie together
constexpr int64_t kTokenStepRows = 4;       // rows of a panel that lie together, beside each other those of one column

struct TokenProduct {
  int64_t depth, n_columns;  // whole panels
  int32_t zero;              // the byte that stands for 0
  const int8_t* weights;     // [n_columns / 16, depth / 4, 16, 4]
  const int32_t* starts;     // [n_columns]: what sums of bytes start from, -zero times the column's sum
  const float* scales;       // [n_columns], over 255 - zero
  const float* bias;         // [n_columns]
  const float* factors;      // [depth]
};

struct Norm {
  const float *gain, *shift;  // [hidden]
};

struct Layer {
  int64_t n_batch, n_tokens, hidden, inner, n_heads;
  float epsilon;
  const float* x;       // [n_batch, n_tokens, hidden]
  const int64_t* mask;  // [n_batch, n_tokens]: 0 hides a token from the others
  TokenProduct qkv, out, up, down;
  Norm attention_norm, output_norm;
  float* y;  // [n_batch, n_tokens, hidden]
};

}  // namespace routekit
