// Stands where CK-tile stands: notes what it was called with, computes it the plain way through the strides it was
// given, and fails on request. For contract tests of the ROCm host code on a machine without a GPU.
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "rocm/dispatch.h"

namespace {

using namespace routekit;

thread_local std::string last_call;

std::string text(const char* name, const Strides& strides) {
  return std::string(" ") + name + "=" + std::to_string(strides.batch) + "," + std::to_string(strides.head) + "," +
         std::to_string(strides.row);
}

std::string text(const Attention& call, const void* stream) {
  return "sizes=" + std::to_string(call.n_batch) + "," + std::to_string(call.n_heads) + "," +
         std::to_string(call.n_queries) + "," + std::to_string(call.n_keys) + "," + std::to_string(call.head_dim) +
         text("q", call.q) + text("k", call.k) + text("v", call.v) + text("out", call.out) +
         (call.has_bias ? text("bias", call.bias) : "") + " window=" + std::to_string(call.window_left) + "," +
         std::to_string(call.window_right) + " scale=" + std::to_string(call.scale) +
         " stream=" + std::to_string(reinterpret_cast<uintptr_t>(stream));
}

const _Float16* at(const void* tensor, const Strides& strides, int64_t b, int64_t h, int64_t row) {
  return static_cast<const _Float16*>(tensor) + strides.offset(b, h, row);
}

void attend_row(const Attention& call, const Operands& data, int64_t b, int64_t h, int64_t i) {
  const auto n = static_cast<size_t>(call.head_dim);
  const _Float16* q = at(data.q, call.q, b, h, i);
  const _Float16* bias = call.has_bias ? at(data.bias, call.bias, b, h, i) : nullptr;
  std::vector<float> sums(n);
  float total = 0;
  for (int64_t j = call.first_key(i); j < call.end_key(i + 1); ++j) {
    const _Float16* k = at(data.k, call.k, b, h, j);
    const _Float16* v = at(data.v, call.v, b, h, j);
    float score = 0;
    for (size_t d = 0; d < n; ++d) score += static_cast<float>(q[d]) * static_cast<float>(k[d]);
    // Tests keep scores small, so no maximum is needed.
    const float weight = std::exp(score * call.scale + (bias ? static_cast<float>(bias[j]) : 0.0f));
    total += weight;
    for (size_t d = 0; d < n; ++d) sums[d] += weight * static_cast<float>(v[d]);
  }
  _Float16* out = static_cast<_Float16*>(data.out) + call.out.offset(b, h, i);
  for (size_t d = 0; d < n; ++d) out[d] = static_cast<_Float16>(total > 0 ? sums[d] / total : 0.0f);
}

}  // namespace

namespace routekit::rocm {

void dispatch(const Attention& call, const Operands& data, void* stream) {
  last_call = text(call, stream);
  if (const char* error = std::getenv("ROUTEKIT_FAKE_HIP_ERROR"))
    throw std::runtime_error(std::string("routekit.FlashAttention on ROCm: the launch failed with HIP error ") + error);
  for (int64_t b = 0; b < call.n_batch; ++b)
    for (int64_t h = 0; h < call.n_heads; ++h)
      for (int64_t i = 0; i < call.n_queries; ++i) attend_row(call, data, b, h, i);
}

}  // namespace routekit::rocm

// The last call of this thread, as text.
extern "C" __attribute__((visibility("default"))) const char* rk_last_call() { return last_call.c_str(); }
