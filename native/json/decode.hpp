// Decodes one piece of a string into characters, in one pass: validate, unescape, store.
//
// Text is mostly plain ASCII, so the buffer starts out as a view of the chunk itself; the first escape makes it copy
// bytes, the first character beyond ASCII 16-bit characters, the first beyond U+FFFF 32-bit ones.
#pragma once

#include <memory>
#include <utility>

#include "python.hpp"
#include "text.hpp"

namespace routekit {

class Piece {
 public:
  enum class Stop : uint8_t { kQuote, kEnd, kUnfinished, kBad };

  // Reads on to the closing quote or the end of the chunk and moves `at` there: to the quote, to the end, to the start
  // of a unit that the chunk cuts off, or to the byte that is wrong.
  Stop read(const Byte*& at, const Byte* end);

  void clear() { width_ = 0, n_ = 0, bits_ = 0, n_utf8_more_ = 0, view_ = nullptr; }
  void add(uint32_t character);  // before `read`: the unit that the last chunk left unfinished
  bool empty() const { return n_ == 0; }
  size_t n_utf8() const { return n_ + n_utf8_more_; }
  Ref str() const;  // throws Raised

 private:
  template <class Character>
  Stop decode(const Byte*& at, const Byte* end, bool& is_too_narrow);
  void reserve(int width, size_t room);

  int width_ = 0;  // bytes per character in the buffer; 0: the text is what `view_` shows
  size_t n_ = 0;
  uint32_t bits_ = 0;        // all characters or-ed: below 2**k exactly when every character is
  size_t n_utf8_more_ = 0;   // UTF-8 bytes beyond one for each character
  const Byte* view_ = nullptr;
  std::unique_ptr<Byte[]> buffer_;
  size_t capacity_ = 0;
};

}  // namespace routekit
