// The incremental JSON scanner: finds out what each byte is, and tells the walk. Linear in the bytes, whatever the
// chunks: what a chunk leaves open is a state, at most 11 bytes of an unfinished unit, and tokens that are handed over
// whole (keys, numbers, short values).
#pragma once

#include <cstdint>
#include <string>

#include "decode.hpp"
#include "text.hpp"
#include "walk.hpp"

namespace routekit {

class Scanner {
 public:
  Scanner(const Table& table, PyObject* capture, Py_ssize_t max_bytes, Py_ssize_t max_depth, Py_ssize_t max_segments)
      : walk(table, capture, max_segments), max_bytes_(max_bytes), max_depth_(static_cast<size_t>(max_depth)) {}

  void feed(const Byte* chunk, Py_ssize_t size);  // throws Raised
  void finish();                                   // throws Raised

  bool complete() const { return state_ == State::kAfterEnd; }
  Walk walk;
  Py_ssize_t first_brace = -1;
  bool is_blank = true;

 private:
  enum class State : uint8_t {
    kValue, kValueOrEnd, kKey, kKeyOrEnd, kColon, kCommaOrEnd, kString, kNumber, kLiteral, kAfterEnd
  };

  void structure();
  [[noreturn]] void unexpected();
  void value(Byte byte);
  void open(bool is_object);
  void close();
  void open_string(bool is_key);
  void string();
  void text();
  void skipped();
  bool carried_unit(uint32_t& character);
  void carry();
  void end_string(std::string_view whole);
  void number();
  void literal();
  void end_scalar(std::string_view token);
  Py_ssize_t offset(const Byte* at) const { return base_ + (at - chunk_); }

  State state_ = State::kValue;
  Mode mode_ = Mode::kSkip;
  bool is_key_ = false;
  Py_ssize_t max_bytes_;
  size_t max_depth_;
  Py_ssize_t base_ = 0;  // offset in the body of the first byte of the chunk at hand
  const Byte* chunk_ = nullptr;
  const Byte* at_ = nullptr;
  const Byte* end_ = nullptr;
  Py_ssize_t start_ = 0;  // offset of the token at hand
  Byte carry_[kMaxUnitBytes];
  int n_carry_ = 0;
  Piece piece_;
  std::string token_;  // what earlier chunks held of the token at hand, decoded
};

}  // namespace routekit
