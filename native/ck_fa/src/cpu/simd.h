// Vectors of ROUTEKIT_LANES floats and what the kernels do with them, in the vector extensions of GCC and Clang.
//
// Included once per instruction set, with other compiler flags each time. Everything is in an unnamed namespace: if
// the linker merged a function across instruction sets, the portable path could run AVX-512 code.
#pragma once

#include <cstdint>
#include <utility>

namespace {

constexpr int kLanes = ROUTEKIT_LANES;

typedef float Float __attribute__((vector_size(kLanes * sizeof(float))));
typedef int32_t Int __attribute__((vector_size(kLanes * sizeof(int32_t))));
typedef float InMemory __attribute__((vector_size(kLanes * sizeof(float)), aligned(sizeof(float)), may_alias));

constexpr float kInfinity = __builtin_inff();
constexpr float kLog2E = 1.44269504f;

inline Float load(const float* from) { return *reinterpret_cast<const InMemory*>(from); }
inline void store(float* to, Float x) { *reinterpret_cast<InMemory*>(to) = x; }
inline Float broadcast(float x) { return x - Float{}; }
inline Float larger(Float a, Float b) { return a > b ? a : b; }  // b when either is NaN
inline Float pick(Int condition, Float yes, Float no) { return condition ? yes : no; }

inline bool any(Int condition) {
  int32_t found = 0;
  for (int lane = 0; lane < kLanes; ++lane) found |= condition[lane];
  return found != 0;
}

// 0, 1, ... kLanes - 1
inline Int lane_numbers() {
  Int numbers{};
  for (int lane = 0; lane < kLanes; ++lane) numbers[lane] = lane;
  return numbers;
}

// 2^x for x <= 0, with relative error below 3e-7 (terms = 6) or 8e-5 (terms = 4); 0 below 2^-126; NaN stays NaN.
// x = n + f, n whole, |f| <= 1/2: 2^n goes straight into the exponent bits, 2^f is a minimax polynomial (fitted by
// Lawson's iteration on the relative error). Exponent bits 0, for n = -127, make a plain zero.
template <int terms>
inline Float exp2_of_negative(Float x) {
  static_assert(terms == 4 || terms == 6);
  constexpr float kBias = 127.0f;
  constexpr float kRound = 12582912.0f + kBias;  // 1.5 * 2^23 leaves no bits for a fraction
  const Float clamped = larger(broadcast(-kBias), x);
  const Float rounded = clamped + kRound;
  const Float f = clamped - (rounded - kRound);
  Float p;
  if constexpr (terms == 4) {
    p = broadcast(0.0551716685f);
    p = p * f + 0.242611125f;
    p = p * f + 0.693260968f;
    p = p * f + 0.999928057f;
  } else {
    p = broadcast(0.00132764713f);
    p = p * f + 0.00967554096f;
    p = p * f + 0.0555071309f;
    p = p * f + 0.240221202f;
    p = p * f + 0.693146944f;
    p = p * f + 1.0f;
  }
  const Float power = reinterpret_cast<Float>(reinterpret_cast<Int>(rounded) << 23);
  return p * power;
}

template <int half, int... i>
inline Float interleave(Float a, Float b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (half * (kLanes / 2) + i / 2 + i % 2 * kLanes)...);
}

// Transpose a square in registers: log2(kLanes) perfect shuffles.
inline void transpose(Float (&rows)[kLanes]) {
  constexpr auto lanes = std::make_integer_sequence<int, kLanes>{};
  for (int round = 1; round < kLanes; round *= 2) {
    Float shuffled[kLanes];
#pragma GCC unroll 16
    for (int i = 0; i < kLanes / 2; ++i) {
      shuffled[2 * i] = interleave<0>(rows[i], rows[i + kLanes / 2], lanes);
      shuffled[2 * i + 1] = interleave<1>(rows[i], rows[i + kLanes / 2], lanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kLanes; ++i) rows[i] = shuffled[i];
  }
}

}  // namespace
