// Sums of products of neighbours, in the instructions that the compiler's vector extensions have no word for.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "simd.h"

namespace {

// sum + low halves' products + high halves' products, of signed 16-bit halves.
inline Int add_products_of_shorts(Int sum, Int a, Int b) {
#if ROUTEKIT_LANES == 16 && defined(__AVX512VNNI__)
  return reinterpret_cast<Int>(_mm512_dpwssd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(a),
                                                   reinterpret_cast<__m512i>(b)));
#elif ROUTEKIT_LANES == 16
  return sum + reinterpret_cast<Int>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif ROUTEKIT_LANES == 8
  return sum + reinterpret_cast<Int>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
  return sum + reinterpret_cast<Int>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
  return sum + (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

#if ROUTEKIT_LANES == 16 && defined(__AVX512VNNI__)
#define ROUTEKIT_BYTE_PRODUCTS
// sum + four products of an unsigned and a signed byte.
inline Int add_products_of_bytes(Int sum, Int a, Int b) {
  return reinterpret_cast<Int>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), reinterpret_cast<__m512i>(a),
                                                   reinterpret_cast<__m512i>(b)));
}
#endif

}  // namespace
