// What an encoder's first layer reads: for each token a word, a kind and a place, added up and normalised.
//
//   y[b, i, :] = norm(scales[b, i] * words[b, i, :] + kinds[kind[b, i], :] + places[i, :])
//
// Plain data, without inline functions: kernels that are compiled for different instruction sets include this.
#pragma once

#include "layer.h"

namespace routekit {

struct EncoderInput {
  int64_t n_batch, n_tokens, hidden;
  float epsilon;
  const int8_t* words;  // [n_batch, n_tokens, hidden]
  const float* scales;  // [n_batch, n_tokens]
  const int64_t* kind;  // [n_batch, n_tokens], rows of kinds
  const float* kinds;   // [n_kinds, hidden]
  const float* places;  // [at least n_tokens, hidden]
  Norm norm;
  float* y;  // [n_batch, n_tokens, hidden]
};

}  // namespace routekit
