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

// Queries that are worked on at a time: as many as there are lanes in kVectors vectors.
template <class Words, int kVectors>
struct Group {
  static constexpr int kQueries = kVectors * kLanes;

  int64_t first_query, n_queries;
  float* out;                           // [head_dim, kQueries]
  const typename Words::Word* queries;  // [steps over head_dim, kQueries], times scale * log2(e)
  Softmax<kVectors, Words::kExpTerms> softmax;
};

// Keys and values of a tile as the products read them.
template <class Words>
struct Operand {
  Strided<typename Words::Word> keys, values;
};

// kGroups share each tile of keys and values while it is in a near cache, and its conversion where Words converts.
template <class Words, int kRows, int kVectors, int kGroups, int kKeys>
struct Block {
  using Word = typename Words::Word;
  using Members = Group<Words, kVectors>;
  static constexpr int kWidth = Members::kQueries;
  static constexpr int kQueries = kGroups * kWidth;

  const Attention& call;
  const Operands& data;
  const int64_t batch, head;
  float* scratch;

  static size_t scratch_bytes(int64_t head_dim) {
    const size_t n_floats = static_cast<size_t>(kGroups * (2 * head_dim + 1) + kKeys + 1) * kWidth;
    return n_floats * sizeof(float) + 2 * Words::scratch_words(kKeys, head_dim) * sizeof(Word);
  }

  void run(int64_t first_query) {
    Members groups[kGroups];
    int n_groups = 0;
    for (int64_t query = first_query; n_groups < kGroups && query < call.n_queries; query += kWidth)
      open(groups[n_groups++], query);
    const Members& last = groups[n_groups - 1];
    const int64_t end = call.end_key(last.first_query + last.n_queries);
    for (int64_t key = call.first_key(first_query); key < end; key += kKeys)
      attend(groups, n_groups, key, end - key < kKeys ? end - key : kKeys);
    for (int g = 0; g < n_groups; ++g) close(groups[g]);
  }

 private:
  const float* at(const void* tensor, const Strides& strides, int64_t row) const {
    return static_cast<const float*>(tensor) + strides.offset(batch, head, row);
  }

  float* take(int64_t n_rows) {
    float* taken = scratch;
    scratch += n_rows * kWidth;
    return taken;
  }

  void open(Members& group, int64_t first_query) {
    const int64_t left = call.n_queries - first_query;
    group.first_query = first_query;
    group.n_queries = left < kWidth ? left : kWidth;
    float* queries = take(call.head_dim + 1);
    group.out = take(call.head_dim);
    std::memset(queries, 0, static_cast<size_t>(2 * call.head_dim + 1) * kWidth * sizeof(float));
    transpose_copy<Assign>(at(data.q, call.q, first_query), call.q.row, group.n_queries, call.head_dim,
                           call.scale * kLog2E, queries, kWidth);
    group.queries = Words::template steps<kWidth>(queries, call.head_dim);
  }

  void close(Members& group) {
    group.softmax.finish(group.out, call.head_dim);
    float* to = static_cast<float*>(data.out) + call.out.offset(batch, head, group.first_query);
    transpose_copy<Assign>(group.out, kWidth, call.head_dim, group.n_queries, 1.0f, to, call.out.row);
  }

  // All groups against the keys [first_key, first_key + n_keys).
  void attend(Members* groups, int n_groups, int64_t first_key, int64_t n_keys) {
    if (call.has_bias && call.bias.row == 0 && all_masked(at(data.bias, call.bias, 0) + first_key, n_keys)) return;
    float* scores = scratch;  // [kKeys + 1, kWidth]
    Word* packed = reinterpret_cast<Word*>(scores + (kKeys + 1) * kWidth);
    Word* packed_values = packed + Words::scratch_words(kKeys, call.head_dim);
    const Operand<Words> operand{
        Words::keys(at(data.k, call.k, first_key), call.k.row, n_keys, call.head_dim, packed),
        Words::values(at(data.v, call.v, first_key), call.v.row, n_keys, call.head_dim, packed_values)};
    for (int g = 0; g < n_groups; ++g) attend(groups[g], operand, first_key, n_keys, scores);
  }

  void attend(Members& group, const Operand<Words>& operand, int64_t first_key, int64_t n_keys, float* scores) {
    const Tile tile{group.first_query, group.n_queries, first_key, n_keys};
    multiply<Words, kRows, kVectors>(operand.keys, n_keys, group.queries, Words::n_steps(call.head_dim), scores, false);
    if (call.has_bias)
      add_bias<kVectors>(at(data.bias, call.bias, group.first_query) + first_key, call.bias.row, tile, scores);
    hide_outside_window<kVectors>(call, tile, scores);
    group.softmax.take(scores, n_keys, group.out, call.head_dim);
    const Word* weights = Words::template steps<kWidth>(scores, n_keys);
    multiply<Words, kRows, kVectors>(operand.values, call.head_dim, weights, Words::n_steps(n_keys), group.out, true);
  }
};

template <class Words, int kRows, int kVectors, int kGroups, int kKeys>
routekit::cpu::BlockKernel block_kernel() {
  using Chosen = Block<Words, kRows, kVectors, kGroups, kKeys>;
  return {Chosen::kQueries, Chosen::scratch_bytes,
          [](const Attention& call, const Operands& data, int64_t batch, int64_t head, int64_t first, void* scratch) {
            Chosen{call, data, batch, head, static_cast<float*>(scratch)}.run(first);
          }};
}

}  // namespace
