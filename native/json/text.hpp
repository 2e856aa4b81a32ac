// Bytes of JSON strings: finding the end of plain runs, decoding escapes and UTF-8, writing str objects.
//
// A unit is one character of a string as it stands in the body: a UTF-8 sequence, an escape, or the two escapes of a
// surrogate pair. At most 12 bytes.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace routekit {

using Byte = unsigned char;

constexpr int kMaxUnitBytes = 12;

inline bool is_plain(Byte byte) { return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\'; }

// Finds the special bytes (all but the plain ones) among 16: bit kBits * i is set for byte i, lower bits only if it is.
// SSE2 is the x86-64 baseline; only copying between escapes gained from wider vectors (decode.cpp).
#if defined(__SSE2__)
constexpr int kBits = 1;
inline uint64_t specials16(const Byte* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'), blank = _mm_set1_epi8(0x20);
  const __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash));
  // Signed: 0x80 and over are below a blank, too.
  return static_cast<uint64_t>(_mm_movemask_epi8(_mm_or_si128(ends, _mm_cmplt_epi8(bytes, blank))));
}
#elif defined(__ARM_NEON) && defined(__aarch64__)
constexpr int kBits = 4;
inline uint64_t specials16(const Byte* at) {
  const uint8x16_t bytes = vld1q_u8(at);
  uint8x16_t found = vorrq_u8(vceqq_u8(bytes, vdupq_n_u8('"')), vceqq_u8(bytes, vdupq_n_u8('\\')));
  found = vorrq_u8(found, vorrq_u8(vcltq_u8(bytes, vdupq_n_u8(0x20)), vcgeq_u8(bytes, vdupq_n_u8(0x80))));
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(found), 4)), 0);
}
#else
constexpr int kBits = 1;
inline uint64_t specials16(const Byte* at) {
  uint64_t found = 0;
  for (int i = 0; i < 16; ++i) found |= static_cast<uint64_t>(!is_plain(at[i])) << i;
  return found;
}
#endif

// Skips printable ASCII up to a quote, a backslash, a control character, a byte of 0x80 and over, or the end.
inline const Byte* skip_plain(const Byte* at, const Byte* end) {
  for (; end - at >= 16; at += 16) {
    const uint64_t found = specials16(at);
    if (found != 0) return at + __builtin_ctzll(found) / kBits;
  }
  while (at < end && is_plain(*at)) ++at;
  return at;
}

struct Unit {
  enum Verdict { kGood, kBad, kMore };  // kMore: good so far, but not all of it is there
  Verdict verdict;
  int n_bytes;
  uint32_t character;
};

constexpr Unit kBadUnit{Unit::kBad, 0, 0};
constexpr Unit kMoreOfUnit{Unit::kMore, 0, 0};

inline int n_utf8_bytes(uint32_t character) {
  return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

inline Unit utf8_unit(const Byte* at, const Byte* end) {
  const Byte lead = at[0];
  const int n = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (n == 0) return kBadUnit;
  if (end - at < 2) return kMoreOfUnit;
  // The second byte excludes overlong forms, surrogates and what lies beyond U+10FFFF.
  const Byte low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const Byte high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at[1] < low || at[1] > high) return kBadUnit;
  uint32_t character = (lead & (0x7Fu >> n)) << 6 | (at[1] & 0x3Fu);
  for (int i = 2; i < n; ++i) {
    if (at + i == end) return kMoreOfUnit;
    if ((at[i] & 0xC0) != 0x80) return kBadUnit;
    character = character << 6 | (at[i] & 0x3Fu);
  }
  return {Unit::kGood, n, character};
}

inline int hex_digit(Byte byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  const Byte lower = byte | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Reads \uXXXX, surrogates included.
inline Unit code_unit(const Byte* at, const Byte* end) {
  static const Byte start[2] = {'\\', 'u'};
  uint32_t code = 0;
  for (int i = 0; i < 6; ++i) {
    if (at + i == end) return kMoreOfUnit;
    if (i < 2) {
      if (at[i] != start[i]) return kBadUnit;
      continue;
    }
    const int digit = hex_digit(at[i]);
    if (digit < 0) return kBadUnit;
    code = code << 4 | static_cast<uint32_t>(digit);
  }
  return {Unit::kGood, 6, code};
}

inline Unit escape_unit(const Byte* at, const Byte* end) {
  if (end - at < 2) return kMoreOfUnit;
  switch (at[1]) {
    case '"': case '\\': case '/': return {Unit::kGood, 2, at[1]};
    case 'b': return {Unit::kGood, 2, '\b'};
    case 'f': return {Unit::kGood, 2, '\f'};
    case 'n': return {Unit::kGood, 2, '\n'};
    case 'r': return {Unit::kGood, 2, '\r'};
    case 't': return {Unit::kGood, 2, '\t'};
    case 'u': break;
    default: return kBadUnit;
  }
  const Unit first = code_unit(at, end);
  if (first.verdict != Unit::kGood || (first.character & 0xF800) != 0xD800) return first;
  if (first.character >= 0xDC00) return kBadUnit;
  const Unit second = code_unit(at + 6, end);
  if (second.verdict != Unit::kGood) return second;
  if ((second.character & 0xFC00) != 0xDC00) return kBadUnit;
  return {Unit::kGood, 12, 0x10000 + ((first.character & 0x3FF) << 10 | (second.character & 0x3FF))};
}

// Reads the unit at a byte that is not plain and no quote.
inline Unit read_unit(const Byte* at, const Byte* end) {
  if (*at >= 0x80) return utf8_unit(at, end);
  return *at == '\\' ? escape_unit(at, end) : kBadUnit;
}

}  // namespace routekit
