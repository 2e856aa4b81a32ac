// x * P(a normal number is below x), the exact GELU.
#pragma once

#include "simd.h"

namespace {

// 2 P - 1 = erf(x / sqrt(2)), within 4e-7: an odd rational function (fitted by Lawson's iteration), constant beyond
// 5.6, where it is 1 to within 2e-8.
inline Float gelu(Float x) {
  const Float limit = broadcast(5.6f);
  const Float within = larger(-limit, x < limit ? x : limit);
  const Float square = within * within;
  Float over = square * 4.42902883e-8f + 1.27130103e-5f;
  over = over * square + 3.47700668e-4f;
  over = over * square + 9.41451360e-3f;
  over = over * square + 6.87521920e-2f;
  over = over * square + 7.97884464e-1f;
  Float under = square * 1.18020625e-6f + 7.51016632e-5f;
  under = under * square + 1.91297615e-3f;
  under = under * square + 2.89400760e-2f;
  under = under * square + 2.52833813e-1f;
  under = under * square + 1.0f;
  const Float half = x * 0.5f;
  return half * (within * over / under) + half;
}

}  // namespace
