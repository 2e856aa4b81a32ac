// What one step multiplies: quantised numbers of a row, and as many of each column of the weights.
//
// Without dot products of bytes, bytes are split into those at even and at odd places, since products of 16-bit
// neighbours, added in pairs, are what processors have had for long. (Products of bytes that are added in 16 bits, as
// AVX2 has them too, would overflow.)
#pragma once

#include <cstring>

#include "madd.h"
#include "simd.h"

namespace {

typedef int8_t Bytes __attribute__((vector_size(kLanes)));
typedef int16_t Shorts __attribute__((vector_size(kLanes * sizeof(int16_t))));

inline Int broadcast_word(const void* from) {
  int32_t word;
  std::memcpy(&word, from, sizeof word);
  return word - Int{};
}

template <class Narrow>
inline void store_narrow(Int numbers, void* to) {
  const Narrow narrow = __builtin_convertvector(numbers, Narrow);
  std::memcpy(to, &narrow, sizeof narrow);
}

struct ShortPairs {
  using Word = int16_t;
  static constexpr int kBits = 16, kStep = 2, kWords = 2;

  static void put(Int numbers, Word* row, int64_t k) { store_narrow<Shorts>(numbers, row + k); }
  static Int broadcast(const Word* step) { return broadcast_word(step); }
  static Int multiply_add(Int sum, Int weights, Int left) { return add_products_of_shorts(sum, weights, left); }
};

#ifdef ROUTEKIT_BYTE_PRODUCTS
struct ByteFours {
  using Word = int8_t;
  static constexpr int kBits = 8, kStep = 4, kWords = 4;

  static void put(Int numbers, Word* row, int64_t k) { store_narrow<Bytes>(numbers, row + k); }
  static Int broadcast(const Word* step) { return broadcast_word(step); }
  static Int multiply_add(Int sum, Int weights, Int left) { return add_products_of_bytes(sum, weights, left); }
};
#else
struct ByteFours {
  using Word = int16_t;
  static constexpr int kBits = 8, kStep = 4, kWords = 4;
  struct Left {
    Int even, odd;
  };

  static void put(Int numbers, Word* row, int64_t k) {
    store_narrow<Shorts>(even_first(numbers, std::make_integer_sequence<int, kLanes>{}), row + k);
  }
  static Left broadcast(const Word* step) { return {broadcast_word(step), broadcast_word(step + 2)}; }
  static Int multiply_add(Int sum, Int weights, const Left& left) {
    const Int even = weights & 0x00ff00ff, odd = weights >> 8 & 0x00ff00ff;
    return add_products_of_shorts(add_products_of_shorts(sum, even, left.even), odd, left.odd);
  }

 private:
  // 0, 2, 1, 3 of every four.
  template <int... i>
  static Int even_first(Int x, std::integer_sequence<int, i...>) {
    return __builtin_shufflevector(x, x, (i / 4 * 4 + (i % 4) / 2 + (i % 2) * 2)...);
  }
};
#endif

inline Int load_ints(const void* from) {
  typedef int32_t InMemoryInt __attribute__((vector_size(kLanes * 4), aligned(1), may_alias));
  return *static_cast<const InMemoryInt*>(from);
}

// Adds the products of kRows rows with kVectors vectors of columns to their sums, which stay in registers. Weights lie
// in panels of kColumns columns, in each a step of all columns behind the other; columns begin at `panel`.
template <class Numbers, int kRows, int kVectors, int kColumns>
inline void add_products(Int (&sums)[kRows][kVectors], const typename Numbers::Word* words, int64_t row_words,
                         const void* panel, int64_t n_steps) {
  constexpr int kPerPanel = kColumns / kLanes;
  constexpr int64_t kStepBytes = kColumns * 4;
  const int64_t panel_bytes = n_steps * kStepBytes;
  const char* from = static_cast<const char*>(panel);
  for (int64_t s = 0; s < n_steps; ++s) {
    Int weights[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      weights[v] = load_ints(from + v / kPerPanel * panel_bytes + s * kStepBytes + v % kPerPanel * kLanes * 4);
#pragma GCC unroll 16
    for (int m = 0; m < kRows; ++m) {
      const auto left = Numbers::broadcast(words + m * row_words + s * Numbers::kWords);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sums[m][v] = Numbers::multiply_add(sums[m][v], weights[v], left);
    }
  }
}

}  // namespace
