// What happens to a tile of scores between the two products: bias, window, softmax. A row is a key, a lane is a query.
#pragma once

#include <cstdint>

#include "attention.h"
#include "simd.h"
#include "transpose.h"

namespace {

using routekit::Attention;

// Keys [first_key, first_key + n_keys) against the queries from first_query on, of which n_queries are real.
struct Tile {
  int64_t first_query, n_queries, first_key, n_keys;
};

// A key that its bias puts out of reach: times log2(e), what lies at or below this is minus infinity.
inline bool is_masked(float bias) { return bias * kLog2E == -kInfinity; }

// True when one bias per key (the same for all queries) masks every key of the tile.
inline bool all_masked(const float* bias, int64_t n_keys) {
  for (int64_t j = 0; j < n_keys; ++j)
    if (!is_masked(bias[j])) return false;
  return true;
}

// scores[key, query] += bias[query, key] in units of log2; `bias` points at the tile's first query and key.
template <int kVectors>
void add_bias(const float* bias, int64_t bias_row, const Tile& tile, float* scores) {
  constexpr int kQueries = kVectors * kLanes;
  if (bias_row != 0) {
    transpose_copy<Add>(bias, bias_row, tile.n_queries, tile.n_keys, kLog2E, scores, kQueries);
    return;
  }
  for (int64_t j = 0; j < tile.n_keys; ++j) {
    if (bias[j] == 0.0f) continue;
    for (int q = 0; q < kQueries; q += kLanes)
      store(scores + j * kQueries + q, load(scores + j * kQueries + q) + bias[j] * kLog2E);
  }
}

inline int32_t clip(int64_t position, int32_t end) {
  return static_cast<int32_t>(position < -1 ? -1 : position > end ? end : position);
}

// Minus infinity where the key lies outside the query's window. Most keys are visible to the whole block.
template <int kVectors>
void hide_outside_window(const Attention& call, const Tile& tile, float* scores) {
  constexpr int kQueries = kVectors * kLanes;
  for (int64_t j = 0; j < tile.n_keys; ++j) {
    const int64_t key = tile.first_key + j - tile.first_query;
    const int32_t first = call.window_right < 0 ? 0 : clip(key - call.window_right, kQueries);
    const int32_t last = call.window_left < 0 ? kQueries : clip(key + call.window_left, kQueries);
    if (first <= 0 && last >= kQueries - 1) continue;
    for (int q = 0; q < kQueries; q += kLanes) {
      const Int query = lane_numbers() + q;
      const Int hidden = (query < first) | (query > last);
      store(scores + j * kQueries + q, pick(hidden, broadcast(-kInfinity), load(scores + j * kQueries + q)));
    }
  }
}

// Running softmax of the queries of a block: in units of log2, one lane each.
template <int kVectors, int terms>
struct Softmax {
  static constexpr int kQueries = kVectors * kLanes;
  Float highest[kVectors], total[kVectors];

  Softmax() {
    for (int v = 0; v < kVectors; ++v) highest[v] = broadcast(-kInfinity), total[v] = Float{};
  }

  // Turn scores into weights, in place, and bring what `out` [head_dim, kQueries] has so far to the new maximum.
  void take(float* scores, int64_t n_keys, float* out, int64_t head_dim) {
    for (int v = 0; v < kVectors; ++v) {
      float* column = scores + v * kLanes;
      const Float before = highest[v];
      for (int64_t j = 0; j < n_keys; ++j) highest[v] = larger(highest[v], load(column + j * kQueries));
      // A query that saw only masked keys so far: any finite shift gives exp2(-inf) = 0, not exp2(-inf + inf) = NaN.
      const Float shift = pick(highest[v] == -kInfinity, Float{}, highest[v]);
      const Float kept = exp2_of_negative<terms>(before - shift);
      total[v] = total[v] * kept + weigh(column, n_keys, shift);
      if (any(kept != 1.0f)) rescale(out + v * kLanes, head_dim, kept);
    }
  }

  // Divide by the sums; a query that saw no key stays zero.
  void finish(float* out, int64_t head_dim) const {
    for (int v = 0; v < kVectors; ++v)
      rescale(out + v * kLanes, head_dim, pick(total[v] == 0.0f, Float{}, 1.0f / total[v]));
  }

 private:
  static Float weigh(float* column, int64_t n_keys, Float shift) {
    Float sum{};
    for (int64_t j = 0; j < n_keys; ++j) {
      const Float weight = exp2_of_negative<terms>(load(column + j * kQueries) - shift);
      store(column + j * kQueries, weight);
      sum += weight;
    }
    return sum;
  }

  static void rescale(float* column, int64_t n_rows, Float factor) {
    for (int64_t d = 0; d < n_rows; ++d) store(column + d * kQueries, load(column + d * kQueries) * factor);
  }
};

}  // namespace
