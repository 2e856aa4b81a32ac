#include "decode.hpp"

#include <algorithm>

#if defined(__SSE2__)
#include <immintrin.h>  // AVX2 where the processor has it, decided at run time
#endif

namespace routekit {
namespace {

constexpr size_t kWindow = 32 * 1024;  // bytes decoded at a time: bounds the buffer by what a text needs
constexpr size_t kSlack = 128;         // characters that vector stores may write beyond the last one

struct Escapes {
  Byte character[256] = {};
  constexpr Escapes() {
    character['"'] = '"', character['\\'] = '\\', character['/'] = '/', character['b'] = '\b';
    character['f'] = '\f', character['n'] = '\n', character['r'] = '\r', character['t'] = '\t';
  }
};
constexpr Escapes kEscapes;  // two-byte escapes; 0 for everything else

template <class Character>
void store16(Character* out, const Byte* at) {
#if defined(__SSE2__)
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), zero = _mm_setzero_si128();
  auto* to = reinterpret_cast<__m128i*>(out);
  if (sizeof(Character) == 1) {
    _mm_storeu_si128(to, bytes);
    return;
  }
  const __m128i low = _mm_unpacklo_epi8(bytes, zero), high = _mm_unpackhi_epi8(bytes, zero);
  if (sizeof(Character) == 2) {
    _mm_storeu_si128(to, low);
    _mm_storeu_si128(to + 1, high);
    return;
  }
  _mm_storeu_si128(to, _mm_unpacklo_epi16(low, zero));
  _mm_storeu_si128(to + 1, _mm_unpackhi_epi16(low, zero));
  _mm_storeu_si128(to + 2, _mm_unpacklo_epi16(high, zero));
  _mm_storeu_si128(to + 3, _mm_unpackhi_epi16(high, zero));
#else
  for (int i = 0; i < 16; ++i) out[i] = at[i];
#endif
}

// Copies plain bytes up to the next special one.
template <class Character>
void copy_plain(const Byte*& at, const Byte* end, Character*& out) {
  for (; end - at >= 16; at += 16, out += 16) {
    const uint64_t found = specials16(at);
    store16(out, at);
    if (found == 0) continue;
    const int n = __builtin_ctzll(found) / kBits;
    at += n;
    out += n;
    return;
  }
  while (at < end && is_plain(*at)) *out++ = *at++;
}

#if defined(__SSE2__)
constexpr int kBlock = 64;

struct Sse2 {
  static uint64_t specials(const Byte* at) {
    return specials16(at) | specials16(at + 16) << 16 | specials16(at + 32) << 32 | specials16(at + 48) << 48;
  }
  static void copy(Byte* out, const Byte* at) {
    for (int i = 0; i < kBlock; i += 16) store16(out + i, at + i);
  }
};

#define ROUTEKIT_AVX2 __attribute__((target("avx2")))

struct Avx2 {
  ROUTEKIT_AVX2 static __m256i load(const Byte* at) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)); }
  ROUTEKIT_AVX2 static uint64_t specials32(const Byte* at) {
    const __m256i bytes = load(at), quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\');
    const __m256i ends = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quote), _mm256_cmpeq_epi8(bytes, backslash));
    const __m256i found = _mm256_or_si256(ends, _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes));
    return static_cast<uint32_t>(_mm256_movemask_epi8(found));
  }
  ROUTEKIT_AVX2 static uint64_t specials(const Byte* at) { return specials32(at) | specials32(at + 32) << 32; }
  ROUTEKIT_AVX2 static void copy(Byte* out, const Byte* at) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), load(at));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 32), load(at + 32));
  }
};

// Copies plain bytes and two-byte escapes, 64 bytes at a time, up to anything else. The runs between escapes are short
// and their lengths random; a branch for each would be mispredicted, so each run is copied at full length instead.
template <class Vector>
[[gnu::always_inline]] inline void copy_blocks(const Byte*& at, const Byte* end, Byte*& out) {
  while (end - at >= 2 * kBlock + 2) {
    uint64_t found = Vector::specials(at);
    Vector::copy(out, at);
    int done = 0;
    while (found != 0) {
      const int next = __builtin_ctzll(found);
      const Byte character = at[next] == '\\' ? kEscapes.character[at[next + 1]] : 0;
      out += next - done;
      if (character == 0) {
        at += next;
        return;
      }
      *out++ = character;
      done = next + 2;
      found &= ~(uint64_t{3} << next);
      Vector::copy(out, at + done);
    }
    out += std::max(kBlock - done, 0);
    at += std::max(kBlock, done);
  }
}

ROUTEKIT_AVX2 void copy_escaped_avx2(const Byte*& at, const Byte* end, Byte*& out) { copy_blocks<Avx2>(at, end, out); }

void copy_escaped(const Byte*& at, const Byte* end, Byte*& out) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  has_avx2 ? copy_escaped_avx2(at, end, out) : copy_blocks<Sse2>(at, end, out);
}
#endif

// Reads UTF-8 sequences of two and three bytes, as long as they come and four bytes are there.
template <class Character>
void copy_short_utf8(const Byte*& at, const Byte* end, Character*& out, uint32_t& bits, size_t& n_more) {
  while (end - at >= 4) {
    const uint32_t a = at[0], b = at[1], c = at[2];
    if ((a & 0xF0) == 0xE0 && (b & 0xC0) == 0x80 && (c & 0xC0) == 0x80) {
      const uint32_t character = (a & 0xF) << 12 | (b & 0x3F) << 6 | (c & 0x3F);
      if (character < 0x800 || (character & 0xF800) == 0xD800) return;
      *out++ = static_cast<Character>(character);
      bits |= character;
      n_more += 2;
      at += 3;
    } else if (a >= 0xC2 && a < 0xE0 && (b & 0xC0) == 0x80) {
      const uint32_t character = (a & 0x1F) << 6 | (b & 0x3F);
      *out++ = static_cast<Character>(character);
      bits |= character;
      n_more += 1;
      at += 2;
    } else {
      return;
    }
  }
}

template <class From, class To>
void convert(const void* from, size_t n, void* to) {
  const auto* source = static_cast<const From*>(from);
  auto* target = static_cast<To*>(to);
  for (size_t i = 0; i < n; ++i) target[i] = static_cast<To>(source[i]);
}

}  // namespace

// Decodes until something stops it; `is_too_narrow` says that the character at `at` needs a wider buffer.
template <class Character>
Piece::Stop Piece::decode(const Byte*& at, const Byte* end, bool& is_too_narrow) {
  constexpr uint32_t kLargest = sizeof(Character) == 1 ? 0x7F : sizeof(Character) == 2 ? 0xFFFF : 0x10FFFF;
  auto* const begin = reinterpret_cast<Character*>(buffer_.get());
  Character* out = begin + n_;
  Stop stop = Stop::kEnd;
  is_too_narrow = false;
  for (;;) {
#if defined(__SSE2__)
    if constexpr (sizeof(Character) == 1) copy_escaped(at, end, out);
#endif
    copy_plain(at, end, out);
    if (at == end) break;
    if (*at == '"') {
      stop = Stop::kQuote;
      break;
    }
    if (*at == '\\' && end - at >= 2 && kEscapes.character[at[1]] != 0) {
      *out++ = kEscapes.character[at[1]];
      at += 2;
      continue;
    }
    if (sizeof(Character) > 1 && *at >= 0x80) {
      const Byte* const before = at;
      copy_short_utf8(at, end, out, bits_, n_utf8_more_);
      if (at != before) continue;
    }
    const Unit unit = read_unit(at, end);
    if (unit.verdict != Unit::kGood) {
      stop = unit.verdict == Unit::kBad ? Stop::kBad : Stop::kUnfinished;
      break;
    }
    if (unit.character > kLargest) {
      is_too_narrow = true;
      break;
    }
    *out++ = static_cast<Character>(unit.character);
    bits_ |= unit.character;
    n_utf8_more_ += static_cast<size_t>(n_utf8_bytes(unit.character) - 1);
    at += unit.n_bytes;
  }
  n_ = static_cast<size_t>(out - begin);
  return stop;
}

Piece::Stop Piece::read(const Byte*& at, const Byte* end) {
  if (width_ == 0) {
    view_ = at;
    at = skip_plain(at, end);
    n_ = static_cast<size_t>(at - view_);
    if (at == end) return Stop::kEnd;
    if (*at == '"') return Stop::kQuote;
  }
  for (;;) {
    const size_t window = std::min(kWindow, static_cast<size_t>(end - at));
    const Byte* const until = at + window;
    reserve(std::max(width_, 1), window);
    bool is_too_narrow = false;
    const Stop stop = width_ == 1   ? decode<Py_UCS1>(at, until, is_too_narrow)
                      : width_ == 2 ? decode<Py_UCS2>(at, until, is_too_narrow)
                                    : decode<Py_UCS4>(at, until, is_too_narrow);
    if (is_too_narrow) {
      reserve(width_ * 2, window);
    } else if (until == end || stop == Stop::kQuote || stop == Stop::kBad) {
      return stop;
    }  // a unit that the window cuts off is whole in the next one
  }
}

void Piece::add(uint32_t character) {
  reserve(character < 0x80 ? 1 : character < 0x10000 ? 2 : 4, 1);
  if (width_ == 1) buffer_[0] = static_cast<Byte>(character);
  if (width_ == 2) *reinterpret_cast<Py_UCS2*>(buffer_.get()) = static_cast<Py_UCS2>(character);
  if (width_ == 4) *reinterpret_cast<Py_UCS4*>(buffer_.get()) = character;
  n_ = 1;
  bits_ = character;
  n_utf8_more_ = static_cast<size_t>(n_utf8_bytes(character) - 1);
}

// Makes room for `room` more characters of a width, keeping those that are there.
void Piece::reserve(int width, size_t room) {
  const size_t needed = (n_ + room + kSlack) * static_cast<size_t>(width);
  if (width == width_ && needed <= capacity_) return;
  std::unique_ptr<Byte[]> old;
  if (needed > capacity_ || width_ != 0) {
    const size_t capacity = std::max(needed, needed > capacity_ ? 2 * capacity_ : capacity_);
    old = std::exchange(buffer_, std::unique_ptr<Byte[]>(new Byte[capacity]));
    capacity_ = capacity;
  }
  const void* from = width_ == 0 ? view_ : old.get();
  if (std::max(width_, 1) == width) {
    if (n_ > 0) std::memcpy(buffer_.get(), from, n_ * static_cast<size_t>(width));
  } else if (width == 2) {
    convert<Py_UCS1, Py_UCS2>(from, n_, buffer_.get());
  } else if (width_ == 2) {
    convert<Py_UCS2, Py_UCS4>(from, n_, buffer_.get());
  } else {
    convert<Py_UCS1, Py_UCS4>(from, n_, buffer_.get());
  }
  width_ = width;
}

Ref Piece::str() const {
  Ref text = Ref::take(PyUnicode_New(static_cast<Py_ssize_t>(n_), std::min<Py_UCS4>(bits_, 0x10FFFF)));
  void* const to = PyUnicode_DATA(text.get());
  const void* const from = width_ == 0 ? view_ : buffer_.get();
  const int kind = static_cast<int>(PyUnicode_KIND(text.get()));
  if (kind == std::max(width_, 1)) {
    std::memcpy(to, from, n_ * static_cast<size_t>(kind));
  } else if (width_ == 2) {
    convert<Py_UCS2, Py_UCS1>(from, n_, to);
  } else if (kind == 2) {
    convert<Py_UCS4, Py_UCS2>(from, n_, to);
  } else {
    convert<Py_UCS4, Py_UCS1>(from, n_, to);
  }
  return text;
}

}  // namespace routekit
