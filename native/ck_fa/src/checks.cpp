#include "checks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace routekit {

std::string quoted(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

namespace {

[[noreturn]] void refuse(const std::string& what) { throw BadArgument("routekit.FlashAttention: " + what); }

// Strides of a dense [batch, head, row, column] tensor.
Strides dense(const Shape& shape) { return {shape[1] * shape[2] * shape[3], shape[2] * shape[3], shape[3]}; }

Strides broadcast(const Shape& shape) {
  Strides strides = dense(shape);
  if (shape[0] == 1) strides.batch = 0;
  if (shape[1] == 1) strides.head = 0;
  if (shape[2] == 1) strides.row = 0;
  return strides;
}

void check_inputs(const Shape& q, const Shape& k, const Shape& v) {
  const bool ranks = q.size() == 4 && k.size() == 4 && v.size() == 4;
  if (!ranks || k != v || q[0] != k[0] || q[1] != k[1] || q[3] != k[3])
    refuse("Q is " + quoted(q) + ", K is " + quoted(k) + ", V is " + quoted(v) +
           "; expected Q [batch, heads, queries, head_dim], K and V [batch, heads, keys, head_dim]");
}

void check_bias(const Shape& bias, const Shape& q, int64_t n_keys) {
  bool fits = bias.size() == 4 && bias[3] == n_keys;
  for (size_t axis = 0; fits && axis < 3; ++axis) fits = bias[axis] == 1 || bias[axis] == q[axis];
  if (!fits)
    refuse("bias is " + quoted(bias) + ", Q is " + quoted(q) + " with " + std::to_string(n_keys) +
           " keys; expected bias [batch or 1, heads or 1, queries or 1, keys]");
}

}  // namespace

void check_settings(const Settings& settings) {
  if (!std::isfinite(settings.scale))
    refuse("scale is " + std::to_string(settings.scale) + "; expected a finite number");
  for (int64_t window : {settings.window_left, settings.window_right})
    if (window < -1) refuse("a window is " + std::to_string(window) + "; expected -1 (open) or at least 0");
}

Attention check_attention(const Settings& settings, const Shape& q, const Shape& k, const Shape& v, const Shape* bias) {
  check_inputs(q, k, v);
  if (bias) check_bias(*bias, q, k[2]);
  Attention call{};
  call.n_batch = q[0], call.n_heads = q[1], call.n_queries = q[2], call.n_keys = k[2], call.head_dim = q[3];
  call.q = call.out = dense(q);
  call.k = call.v = dense(k);
  call.has_bias = bias != nullptr;
  if (bias) call.bias = broadcast(*bias);
  const float head_dim = static_cast<float>(std::max<int64_t>(1, call.head_dim));
  call.scale = settings.scale != 0.0f ? settings.scale : 1.0f / std::sqrt(head_dim);
  // A window wider than the sequence is an open one; clipped, sums of positions stay far from overflow.
  const int64_t widest = std::max(call.n_queries, call.n_keys);
  call.window_left = std::min(settings.window_left, widest);
  call.window_right = std::min(settings.window_right, widest);
  call.allow_bf16 = settings.allow_bf16;
  return call;
}

}  // namespace routekit
