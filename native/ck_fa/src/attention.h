// One attention call, as every device sees it: sizes, element strides, mask, and where the data lies.
//
//   out[b, h, i, :] = sum over visible j of softmax_j(scale * Q[b, h, i, :] . K[b, h, j, :] + bias[b, h, i, j]) * V[b,
//   h, j, :]
//
// Key j is visible to query i when i - window_left <= j <= i + window_right; -1 leaves that side open. A row that sees
// no key, or only masked ones, is zero.
//
// Plain data, without inline functions: kernels that are compiled for different instruction sets include this.
#pragma once

#include <cstdint>

namespace routekit {

// Distances between neighbours, in elements; 0 repeats along that axis. The last axis is always dense.
struct Strides {
  int64_t batch, head, row;

  int64_t offset(int64_t b, int64_t h, int64_t r) const;
};

struct Attention {
  int64_t n_batch, n_heads, n_queries, n_keys, head_dim;
  Strides q, k, v, out, bias;
  bool has_bias;
  float scale;
  int64_t window_left, window_right;  // -1: open
  bool allow_bf16;

  // First and one past the last key that any of the queries [first, end) sees; an empty range when there is none.
  int64_t first_key(int64_t first) const;
  int64_t end_key(int64_t end) const;
};

// Device addresses; elements are float32 on the CPU and float16 on ROCm.
struct Operands {
  const void *q, *k, *v, *bias;
  void* out;
};

}  // namespace routekit
