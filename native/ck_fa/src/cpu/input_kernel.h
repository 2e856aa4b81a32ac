// Words, kinds and places of tokens, added up and normalised.
#pragma once

#include <cstring>

#include "encoder_input.h"
#include "norm.h"
#include "numbers.h"

namespace {

inline void read_tokens(const routekit::EncoderInput& input, int64_t first_row, int64_t n_rows) {
  for (int64_t row = first_row; row < first_row + n_rows; ++row) {
    const int8_t* words = input.words + row * input.hidden;
    const float* kind = input.kinds + input.kind[row] * input.hidden;
    float* y = input.y + row * input.hidden;
    for (int64_t i = 0; i < input.hidden; i += kLanes) {
      Bytes bytes;
      std::memcpy(&bytes, words + i, sizeof bytes);
      store(y + i, __builtin_convertvector(bytes, Float) * input.scales[row] + load(kind + i));
    }
    add_and_normalise(y, input.places + row % input.n_tokens * input.hidden, input.norm, input.hidden, input.epsilon);
  }
}

}  // namespace
