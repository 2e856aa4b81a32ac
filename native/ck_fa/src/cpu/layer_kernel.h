// An encoder's layer for a block of tokens, all of it in a near cache but the weights.
#pragma once

#include "gelu.h"
#include "input_kernel.h"
#include "layer_launch.h"
#include "norm.h"
#include "token_product.h"

namespace {

using routekit::Layer;

inline void activate(float* row, int64_t n) {
  for (int64_t i = 0; i < n; i += kLanes) store(row + i, gelu(load(row + i)));
}

template <int kRows, int kVectors, int kBlockRows>
struct LayerBlock {
  using Word = TokenFours::Word;

  // Scratch: what the products give, [kBlockRows, hidden] and [kBlockRows, inner], ranges, and rounded tokens.
  static int64_t n_floats(const Layer& layer) { return kBlockRows * (layer.hidden + layer.inner + 1); }
  static int64_t row_words(const TokenProduct& product) {
    return product.depth / routekit::kTokenStepRows * TokenFours::kWords;
  }
  static size_t scratch_bytes(const Layer& layer) {
    const int64_t deepest = layer.inner > layer.hidden ? layer.inner : layer.hidden;
    return static_cast<size_t>(n_floats(layer)) * sizeof(float) +
           static_cast<size_t>(kBlockRows * deepest) * sizeof(Word) / routekit::kTokenStepRows * TokenFours::kWords;
  }

  const Layer& layer;
  int64_t n_rows;
  float* attended;  // [kBlockRows, hidden]
  float* inner;     // [kBlockRows, inner]
  float* ranges;    // [kBlockRows]
  Word* words;

  LayerBlock(const Layer& given, int64_t n, void* scratch) : layer(given), n_rows(n) {
    attended = static_cast<float*>(scratch);
    inner = attended + kBlockRows * layer.hidden;
    ranges = inner + kBlockRows * layer.inner;
    words = reinterpret_cast<Word*>(ranges + kBlockRows);
  }

  void multiply(const TokenProduct& product, FloatRows from, FloatRows to) const {
    const RoundedTokens tokens{words, ranges, row_words(product)};
    for (int64_t r = 0; r < n_rows; ++r) ranges[r] = round_token(product, from.row(r), words + r * tokens.row_words);
    multiply_tokens<kRows, kVectors>(product, tokens, n_rows, to);
  }

  static void project(const Layer& layer, int64_t first_row, int64_t n_rows, float* qkv, void* scratch) {
    float* x = const_cast<float*>(layer.x) + first_row * layer.hidden;
    LayerBlock(layer, n_rows, scratch).multiply(layer.qkv, {x, layer.hidden}, {qkv, 3 * layer.hidden});
  }

  static void finish(const Layer& layer, int64_t first_row, int64_t n_rows, const float* context, void* scratch) {
    const LayerBlock block(layer, n_rows, scratch);
    const int64_t first = first_row * layer.hidden;
    const FloatRows attended{block.attended, layer.hidden}, inner{block.inner, layer.inner};
    const FloatRows y{layer.y + first, layer.hidden};
    block.multiply(layer.out, {const_cast<float*>(context), 3 * layer.hidden}, attended);
    block.normalise(attended, {const_cast<float*>(layer.x) + first, layer.hidden}, layer.attention_norm);
    block.multiply(layer.up, attended, inner);
    for (int64_t r = 0; r < n_rows; ++r) activate(inner.row(r), layer.inner);
    block.multiply(layer.down, inner, y);
    block.normalise(y, attended, layer.output_norm);
  }

 private:
  void normalise(FloatRows rows, FloatRows residual, const Norm& norm) const {
    for (int64_t r = 0; r < n_rows; ++r)
      add_and_normalise(rows.row(r), residual.row(r), norm, layer.hidden, layer.epsilon);
  }
};

template <int kRows, int kVectors, int kBlockRows>
routekit::cpu::LayerKernels layer_kernels(routekit::cpu::BlockKernel attention) {
  using Chosen = LayerBlock<kRows, kVectors, kBlockRows>;
  return {kBlockRows, read_tokens, Chosen::scratch_bytes, Chosen::project, Chosen::finish, attention};
}

}  // namespace
