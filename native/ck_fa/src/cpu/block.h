// Attention of one block of queries, tile by tile of keys, with a running softmax (Milakov & Gimelshein 2018,
// arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135).
//
// Lanes are queries: whatever belongs to a query (its maximum, its sum, its output) stays in one lane from beginning
// to end, so there is no sum across lanes, any head_dim fits, and keys and values are read in place. Only the block's
// own queries are transposed on the way in, and its outputs on the way out.
#pragma once

#include <cstring>

#include "launch.h"
#include "product.h"
#include "scores.h"

namespace {

using routekit::Operands;
using routekit::Strides;

template <class Words, int kRows, int kVectors, int kKeys>
struct Block {
  using Word = typename Words::Word;
  static constexpr int kQueries = kVectors * kLanes;

  const Attention& call;
  float* queries;  // [head_dim + 1, kQueries], times scale * log2(e)
  float* out;      // [head_dim, kQueries]
  float* scores;   // [kKeys + 1, kQueries]
  Word* packed;    // keys or values of a tile, where Words needs a copy

  static size_t scratch_bytes(int64_t head_dim) {
    const size_t n_floats = static_cast<size_t>(2 * head_dim + kKeys + 2) * kQueries;
    return n_floats * sizeof(float) + Words::scratch_words(kKeys, head_dim) * sizeof(Word);
  }

  Block(const Attention& attention, void* scratch) : call(attention) {
    queries = static_cast<float*>(scratch);
    out = queries + (call.head_dim + 1) * kQueries;
    scores = out + call.head_dim * kQueries;
    packed = reinterpret_cast<Word*>(scores + (kKeys + 1) * kQueries);
  }

  void run(const Operands& data, int64_t b, int64_t h, int64_t first_query) {
    const int64_t left = call.n_queries - first_query;
    const int64_t n_queries = left < kQueries ? left : kQueries;
    std::memset(queries, 0, static_cast<size_t>(2 * call.head_dim + 1) * kQueries * sizeof(float));
    const float* q = at(data.q, call.q, b, h, first_query);
    transpose_copy<Assign>(q, call.q.row, n_queries, call.head_dim, call.scale * kLog2E, queries, kQueries);
    const Word* query_words = Words::template steps<kQueries>(queries, call.head_dim);
    Softmax<kVectors, Words::kExpTerms> softmax;
    const int64_t end = call.end_key(first_query + n_queries);
    for (int64_t j = call.first_key(first_query); j < end; j += kKeys) {
      const Tile tile{first_query, n_queries, j, end - j < kKeys ? end - j : kKeys};
      attend(data, b, h, tile, query_words, softmax);
    }
    softmax.finish(out, call.head_dim);
    float* to = static_cast<float*>(data.out) + call.out.offset(b, h, first_query);
    transpose_copy<Assign>(out, kQueries, call.head_dim, n_queries, 1.0f, to, call.out.row);
  }

 private:
  static const float* at(const void* data, const Strides& strides, int64_t b, int64_t h, int64_t row) {
    return static_cast<const float*>(data) + strides.offset(b, h, row);
  }

  void attend(const Operands& data, int64_t b, int64_t h, const Tile& tile, const Word* query_words,
              Softmax<kVectors, Words::kExpTerms>& softmax) {
    const float* bias = nullptr;
    if (call.has_bias) bias = at(data.bias, call.bias, b, h, tile.first_query) + tile.first_key;
    if (bias && call.bias.row == 0 && all_masked(bias, tile.n_keys)) return;
    const float* k = at(data.k, call.k, b, h, tile.first_key);
    const float* v = at(data.v, call.v, b, h, tile.first_key);
    multiply<Words, kRows, kVectors>(Words::keys(k, call.k.row, tile.n_keys, call.head_dim, packed), tile.n_keys,
                                     query_words, Words::n_steps(call.head_dim), scores, false);
    if (bias) add_bias<kVectors>(bias, call.bias.row, tile, scores);
    hide_outside_window<kVectors>(call, tile, scores);
    softmax.take(scores, tile.n_keys, out, call.head_dim);
    const Word* weights = Words::template steps<kQueries>(scores, tile.n_keys);
    multiply<Words, kRows, kVectors>(Words::values(v, call.v.row, tile.n_keys, call.head_dim, packed), call.head_dim,
                                     weights, Words::n_steps(tile.n_keys), out, true);
  }
};

template <class Words, int kRows, int kVectors, int kKeys>
routekit::cpu::BlockKernel block_kernel() {
  using Chosen = Block<Words, kRows, kVectors, kKeys>;
  return {Chosen::kQueries, Chosen::scratch_bytes,
          [](const Attention& call, const Operands& data, int64_t b, int64_t h, int64_t first_query, void* scratch) {
            Chosen(call, scratch).run(data, b, h, first_query);
          }};
}

}  // namespace
