#include "scanner.hpp"

#include <cmath>

namespace routekit {
namespace {

constexpr size_t kMostIntegerDigits = 308;  // 10**308 is a double, ten times as much is not
constexpr Byte kBomStart = 0xEF;

bool is_blank_byte(Byte byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number_byte(Byte c) {
  return is_digit(static_cast<char>(c)) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Checks the JSON grammar of a number, and that it is finite as a double.
bool is_number(std::string_view token) {
  const auto digits = [&](size_t at) {
    while (at < token.size() && is_digit(token[at])) ++at;
    return at;
  };
  size_t at = token[0] == '-' ? 1 : 0;
  const size_t integer = at;
  at = digits(at);
  const size_t n_integer = at - integer;
  if (n_integer == 0 || (n_integer > 1 && token[integer] == '0')) return false;
  if (at < token.size() && token[at] == '.') {
    const size_t fraction = at + 1;
    at = digits(fraction);
    if (at == fraction) return false;
  }
  const bool has_exponent = at < token.size() && (token[at] | 0x20) == 'e';
  if (has_exponent) {
    ++at;
    if (at < token.size() && (token[at] == '+' || token[at] == '-')) ++at;
    const size_t exponent = at;
    at = digits(exponent);
    if (at == exponent) return false;
  }
  if (at != token.size()) return false;
  if (!has_exponent && n_integer <= kMostIntegerDigits) return true;
  const double value = PyOS_string_to_double(std::string(token).c_str(), nullptr, nullptr);
  if (PyErr_Occurred()) throw Raised{};
  return std::isfinite(value);
}

void append_utf8(std::string& out, uint32_t c) {
  const int n = n_utf8_bytes(c);
  if (n == 1) {
    out.push_back(static_cast<char>(c));
    return;
  }
  static const Byte lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
  out.push_back(static_cast<char>(lead[n] | c >> 6 * (n - 1)));
  for (int i = n - 2; i >= 0; --i) out.push_back(static_cast<char>(0x80 | (c >> 6 * i & 0x3F)));
}

}  // namespace

void Scanner::feed(const Byte* chunk, Py_ssize_t size) {
  if (size > max_bytes_ - base_) refuse(Refusal::kTooLarge, base_, std::to_string(max_bytes_));
  chunk_ = at_ = chunk;
  end_ = chunk + size;
  while (at_ < end_) {
    switch (state_) {
      case State::kString: string(); break;
      case State::kNumber: number(); break;
      case State::kLiteral: literal(); break;
      default: structure();
    }
  }
  base_ += size;
  chunk_ = at_ = end_ = nullptr;
}

void Scanner::finish() {
  if (!complete()) refuse(base_ == 0 ? Refusal::kEmpty : first_brace < 0 ? Refusal::kBlank : Refusal::kTruncated, base_);
}

void Scanner::structure() {
  while (at_ < end_ && is_blank_byte(*at_)) ++at_;
  if (at_ == end_) return;
  const Byte byte = *at_;
  switch (state_) {
    case State::kKey:
    case State::kKeyOrEnd:
      if (byte == '"') return open_string(true);
      if (byte == '}' && state_ == State::kKeyOrEnd) return close();
      break;
    case State::kColon:
      if (byte != ':') break;
      ++at_;
      state_ = State::kValue;
      return;
    case State::kCommaOrEnd:
      if (byte == ',') {
        ++at_;
        state_ = walk.in_object() ? State::kKey : State::kValue;
        return;
      }
      if (byte == (walk.in_object() ? '}' : ']')) return close();
      break;
    case State::kAfterEnd:
      refuse(Refusal::kTrailing, offset(at_));
    default:
      return value(byte);
  }
  unexpected();
}

// The detail names what is allowed, by the keys of routekit.refusals, and the byte that is there instead.
void Scanner::unexpected() {
  const char* const allowed = [this] {
    switch (state_) {
      case State::kKey: return "key";
      case State::kKeyOrEnd: return "key or end";
      case State::kColon: return "colon";
      case State::kCommaOrEnd: return walk.in_object() ? "comma or brace" : "comma or bracket";
      case State::kValueOrEnd: return "value or end";
      default: return walk.depth() == 0 ? "request" : "value";
    }
  }();
  refuse(Refusal::kSyntax, offset(at_), std::string(allowed) + ":" + std::to_string(*at_));
}

void Scanner::value(Byte byte) {
  const bool is_number = byte == '-' || is_digit(static_cast<char>(byte));
  if (byte == '{' || byte == '[') return open(byte == '{');
  if (byte == ']' && state_ == State::kValueOrEnd) return close();
  const bool starts_value = byte == '"' || is_number || byte == 't' || byte == 'f' || byte == 'n';
  if (byte == kBomStart && offset(at_) == 0) refuse(Refusal::kBom, 0);
  if (!starts_value) unexpected();
  if (walk.depth() == 0) refuse(Refusal::kNotAnObject, offset(at_));
  if (byte == '"') return open_string(false);
  start_ = offset(at_);
  state_ = is_number ? State::kNumber : State::kLiteral;
}

void Scanner::open(bool is_object) {
  if (walk.depth() == max_depth_) refuse(Refusal::kTooDeep, offset(at_), std::to_string(max_depth_));
  walk.begin(is_object, offset(at_));
  if (walk.depth() == 1) first_brace = offset(at_);
  state_ = is_object ? State::kKeyOrEnd : State::kValueOrEnd;
  ++at_;
}

void Scanner::close() {
  walk.end();
  state_ = walk.depth() == 0 ? State::kAfterEnd : State::kCommaOrEnd;
  ++at_;
}

void Scanner::open_string(bool is_key) {
  start_ = offset(at_);
  is_key_ = is_key;
  if (is_key) {
    is_blank = false;
    mode_ = Mode::kWhole;
  } else {
    mode_ = walk.begin_string(start_);
  }
  state_ = State::kString;
  ++at_;
}

// Reads on in a string, to its end or the end of the chunk.
void Scanner::string() {
  uint32_t first = 0;
  const bool has_first = n_carry_ > 0;
  if (has_first && !carried_unit(first)) return;
  if (mode_ == Mode::kText) {
    piece_.clear();
    if (has_first) piece_.add(first);
    return text();
  }
  if (has_first && mode_ == Mode::kWhole) append_utf8(token_, first);
  skipped();
}

void Scanner::text() {
  const Piece::Stop stop = piece_.read(at_, end_);
  if (stop == Piece::Stop::kBad) refuse(Refusal::kString, offset(at_));
  if (stop == Piece::Stop::kQuote) {
    ++at_;
    state_ = State::kCommaOrEnd;
    return walk.end_text(piece_.empty() ? Ref() : piece_.str(), piece_.n_utf8(), offset(at_));
  }
  if (!piece_.empty()) walk.piece(piece_.str(), piece_.n_utf8());
  carry();
}

// Reads a string that is not handed over in pieces: ignored, or wanted whole.
void Scanner::skipped() {
  const Byte* from = at_;
  const bool is_wanted = mode_ == Mode::kWhole;
  for (;;) {
    at_ = skip_plain(at_, end_);
    const std::string_view run(reinterpret_cast<const char*>(from), static_cast<size_t>(at_ - from));
    if (at_ < end_ && *at_ == '"') {
      ++at_;
      if (token_.empty()) return end_string(run);
      token_.append(run);
      end_string(token_);
      return token_.clear();
    }
    if (is_wanted) token_.append(run);
    if (at_ == end_) return;
    const Unit unit = read_unit(at_, end_);
    if (unit.verdict == Unit::kBad) refuse(Refusal::kString, offset(at_));
    if (unit.verdict == Unit::kMore) return carry();
    if (is_wanted) append_utf8(token_, unit.character);
    at_ += unit.n_bytes;
    from = at_;
  }
}

// Completes the unit that the last chunk left unfinished; false when this chunk ends before it does.
bool Scanner::carried_unit(uint32_t& character) {
  while (at_ < end_) {
    carry_[n_carry_++] = *at_++;
    const Unit unit = read_unit(carry_, carry_ + n_carry_);
    if (unit.verdict == Unit::kBad) refuse(Refusal::kString, offset(at_) - 1);
    if (unit.verdict == Unit::kMore) continue;
    n_carry_ = 0;
    character = unit.character;
    return true;
  }
  return false;
}

// Keeps the unfinished unit at the end of the chunk.
void Scanner::carry() {
  n_carry_ = static_cast<int>(end_ - at_);
  std::memcpy(carry_, at_, static_cast<size_t>(n_carry_));
  at_ = end_;
}

// Ends a key or a value that is wanted whole or not at all.
void Scanner::end_string(std::string_view whole) {
  if (is_key_) {
    walk.key(whole, start_, offset(at_));
    state_ = State::kColon;
    return;
  }
  if (mode_ == Mode::kWhole) walk.end_whole(whole, offset(at_));
  state_ = State::kCommaOrEnd;
}

void Scanner::number() {
  const Byte* const from = at_;
  while (at_ < end_ && is_number_byte(*at_)) ++at_;
  std::string_view token(reinterpret_cast<const char*>(from), static_cast<size_t>(at_ - from));
  if (at_ == end_ || !token_.empty()) {
    token_.append(token);
    if (at_ == end_) return;
    token = token_;
  }
  if (!is_number(token)) refuse(Refusal::kNumber, start_);
  end_scalar(token);
}

void Scanner::literal() {
  const std::string_view wanted = [&] {
    const char first = token_.empty() ? static_cast<char>(*at_) : token_[0];
    return std::string_view(first == 't' ? "true" : first == 'f' ? "false" : "null");
  }();
  while (at_ < end_ && token_.size() < wanted.size()) {
    if (static_cast<char>(*at_) != wanted[token_.size()]) refuse(Refusal::kSyntax, start_, "literal:");
    token_.push_back(static_cast<char>(*at_++));
  }
  if (token_.size() == wanted.size()) end_scalar(token_);
}

void Scanner::end_scalar(std::string_view token) {
  walk.scalar(token, start_, offset(at_));
  token_.clear();
  state_ = State::kCommaOrEnd;
}

}  // namespace routekit
