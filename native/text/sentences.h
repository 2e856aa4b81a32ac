// Where sentences begin: the decisions of routekit/sentences.py, function by function, over raw characters.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "characters.h"

namespace routekit {

constexpr Py_ssize_t kMaxQuoted = 200, kMaxItem = 400, kMaxWord = 24, kMaxDots = 16, kMinUnmarked = 40;
constexpr Py_ssize_t kLongWord = 7, kCodePrefix = 200, kClockPrefix = 40;

// Frozensets of str, borrowed; see routekit/abbreviations.py.
struct WordSets {
    PyObject *binding, *numeric, *open, *starters, *months;
};

inline Py_UCS4 closer_of(Py_UCS4 c) {
    switch (c) {
        case 0xAB: return 0xBB;
        case 0x201E: return 0x201C;
        case 0x201C: return 0x201D;
        case 0x2039: return 0x203A;
        case 0x300C: return 0x300D;
        case 0x300E: return 0x300F;
        case 0x300A: return 0x300B;
        case 0x3008: return 0x3009;
        case 0xFF08: return 0xFF09;
        case 0x3010: return 0x3011;
        case 0x3014: return 0x3015;
        default: return 0;
    }
}

template <class Char>
class Splitter {
  public:
    Splitter(PyObject* text, const std::uint8_t* table, const WordSets& words)
        : text_(text), s_(static_cast<const Char*>(PyUnicode_DATA(text))), n_(PyUnicode_GET_LENGTH(text)),
          table_(table), words_(words) {}

    // False with a Python error set if a word could not be looked up.
    bool run() {
        begin(0);
        for (Py_ssize_t i = 0; i < n_; ++i) {
            const int k = kind(i);
            if (!in(k, kEvents) || i < resume_) continue;
            if (k == kSpace && !(i > 0 && s_[i - 1] >= 0xE00 && s_[i - 1] <= 0xEFF)) continue;
            while (item_ >= 0 && item_ < i) begin(item_);
            const Py_ssize_t boundary = judge(i, k);
            if (failed_) return false;
            if (boundary >= 0 && boundary < n_) begin(boundary);
        }
        while (item_ >= 0) begin(item_);
        return true;
    }

    std::vector<std::int64_t> starts;

  private:
    static constexpr std::uint32_t kEvents = kTerminators | bit(kNewline) | bit(kColon) | bit(kBullet) | bit(kSpace) |
                                             bit(kOpener) | bit(kCloser);

    int kind(Py_ssize_t i) const { return i < n_ ? kind_of(table_, s_[i]) : static_cast<int>(kEnd); }

    Py_ssize_t skip(Py_ssize_t i, std::uint32_t kinds) const {
        while (in(kind(i), kinds)) ++i;
        return i;
    }

    void begin(Py_ssize_t start) {
        starts.push_back(start);
        start_ = start;
        closer_ = 0;
        first_ = skip(start, kBlank);
        body_ = skip(first_, bit(kSpace) | bit(kBullet));
        item_ = next_item();
    }

    bool is_digit(Py_ssize_t i) const { return i < n_ && s_[i] >= '0' && s_[i] <= '9'; }

    Py_ssize_t next_item() const {
        Py_ssize_t i = body_;
        int number = 0;
        while (i - body_ < 3 && is_digit(i)) number = number * 10 + static_cast<int>(s_[i++] - '0');
        std::string successor = " ";
        if (i > body_) {
            successor += std::to_string(number + 1);
        } else if (i < n_ && s_[i] >= 'a' && s_[i] <= 'y') {
            successor += static_cast<char>(s_[i++] + 1);
        } else {
            return -1;
        }
        const Py_ssize_t mark = i;
        if (i < n_ && s_[i] == '.') ++i;
        if (i < n_ && s_[i] == ')') ++i;
        if (i == mark || i >= n_ || s_[i] != ' ') return -1;
        successor.append(s_ + mark, s_ + i);
        successor += ' ';
        const Char* end = s_ + std::min(n_, body_ + kMaxItem);
        const Char* found = std::search(s_ + i, std::max(end, s_ + i), successor.begin(), successor.end(),
                                        [](Char a, char b) { return a == static_cast<unsigned char>(b); });
        return found == std::max(end, s_ + i) ? -1 : found - s_ + 1;
    }

    Py_ssize_t judge(Py_ssize_t i, int k) {
        if (k == kNewline) return newline(i);
        if (in(k, kTerminators)) return terminator(i);
        if (k == kColon) return colon(i);
        if (k == kBullet) return i > body_ && kind(i - 1) == kSpace ? i : -1;
        if (k == kSpace) return phrase(i);
        bracket(i);
        return -1;
    }

    Py_ssize_t newline(Py_ssize_t i) {
        resume_ = skip(i, kBlank);
        if (i < first_ || resume_ >= n_) return -1;
        Py_ssize_t boundary = resume_;
        while (kind(boundary - 1) != kNewline) --boundary;
        return boundary;
    }

    Py_ssize_t phrase(Py_ssize_t i) {
        resume_ = skip(i, bit(kSpace));
        return i - start_ >= kMinUnmarked && kind(resume_) == kUnmarked ? resume_ : -1;
    }

    void bracket(Py_ssize_t i) {
        if (quoted(i)) {
            if (s_[i] == closer_) closer_ = 0;
        } else if (const Py_UCS4 closer = closer_of(s_[i])) {
            closer_ = closer;
            opened_ = i;
        }
    }

    bool quoted(Py_ssize_t i) const { return closer_ && i - opened_ <= kMaxQuoted; }

    Py_ssize_t colon(Py_ssize_t i) const {
        const Py_ssize_t after = skip(i + 1, bit(kSpace));
        if (after == i + 1 || i == start_ || quoted(i)) return -1;
        const Py_UCS4 before = s_[i - 1];
        const bool greek = s_[i] == ';' && ((before >= 0x370 && before < 0x400) || (before >= 0x1F00 && before < 0x2000));
        const bool armenian = s_[i] == ':' && before >= 0x530 && before < 0x590;
        return greek || armenian ? after : -1;
    }

    Py_ssize_t terminator(Py_ssize_t i) {
        const Py_ssize_t spaced = spaced_dots(i);
        if (spaced > 1 && (i == first_ || in(kind(i - 1), kBlank))) return spaced_ellipsis(i, spaced);
        bool open = quoted(i), full = false, closed = false;
        Py_ssize_t j = i, n_marks = 0;
        for (;; ++j) {
            const int k = kind(j);
            if (in(k, kTerminators)) {
                full = full || k == kFull;
                ++n_marks;
            } else if (k == kCloser || k == kQuote || (open && k != kEnd && s_[j] == closer_)) {
                closed = true;
                if (open && s_[j] == closer_) {
                    open = false;
                    closer_ = 0;
                }
            } else if (k != kMark) {
                break;
            }
        }
        resume_ = j;
        const Py_ssize_t after = skip(j, bit(kSpace));
        const int following = kind(after), before = i > start_ ? kind(i - 1) : static_cast<int>(kEnd);
        if (open || following == kEnd || following == kNewline) return -1;
        if (full) {
            const bool joined =
                after == j && ((closed && following != kOpener) || (before == kDigit && following == kDigit));
            return joined ? -1 : after;
        }
        if (after == j) return before == kIdeograph && following == kIdeograph ? after : -1;
        if (before == kOpener || is_code(i)) return -1;
        return ends_before(i, j, after, n_marks == 1 && kind(i) == kStop) ? after : -1;
    }

    bool ends_before(Py_ssize_t i, Py_ssize_t j, Py_ssize_t after, bool single) {
        if (s_[after] == '.') {
            const Py_ssize_t spaced = spaced_dots(after), end = after + 2 * spaced - 1;
            if (spaced == 1 || (kind(end) == kSpace && in(kind(end + 1), kCapital))) return true;
            resume_ = end;
            return false;
        }
        Py_ssize_t word = after;
        while (word < after + 4 && in(kind(word), kBeforeWord)) ++word;
        if (kind(word) == kLower) return single && j == i + 1 && long_lower_word(i);
        return !single || word_ends(i, word);
    }

    bool long_lower_word(Py_ssize_t i) const {
        Py_ssize_t a = i;
        while (a > start_ && kind(a - 1) == kLower && i - a < kMaxWord) --a;
        return (a == start_ || in(kind(a - 1), kBlank)) && i - a >= kLongWord;
    }

    bool word_ends(Py_ssize_t i, Py_ssize_t following) {
        Py_ssize_t a = i;
        while (a > start_ && i - a < kMaxWord && !in(kind(a - 1), kBlank)) --a;
        while (a < i && in(kind(a), bit(kOpener) | bit(kQuote) | bit(kBullet))) ++a;
        const bool number = a < i && std::all_of(s_ + a, s_ + i, [](Char c) { return Py_UNICODE_ISDECIMAL(c); });
        if (a == body_ && ((number && i - a <= 3) || i - a == 1)) return false;
        PyObject* lower = lowered(a, i);
        const bool binds = contains(words_.binding, lower) ||
                           (kind(following) == kDigit && contains(words_.numeric, lower));
        const bool open = !binds && (contains(words_.open, lower) || is_acronym(a, i));
        Py_XDECREF(lower);
        if (binds || failed_) return false;
        if (open) return word_in(words_.starters, following);
        return !(number && i - a <= 2 && word_in(words_.months, following));
    }

    bool is_acronym(Py_ssize_t a, Py_ssize_t end) const {
        if ((end - a) % 2 == 0) return false;
        for (Py_ssize_t at = a; at < end; ++at)
            if (!in(kind(at), (at - a) % 2 == 0 ? kLetters : bit(kStop))) return false;
        return true;
    }

    PyObject* lowered(Py_ssize_t a, Py_ssize_t end) {
        PyObject* word = PyUnicode_Substring(text_, a, end);
        PyObject* lower = word ? PyObject_CallMethod(word, "lower", nullptr) : nullptr;
        Py_XDECREF(word);
        failed_ = failed_ || !lower;
        return lower;
    }

    bool contains(PyObject* set, PyObject* word) {
        const int found = word ? PySet_Contains(set, word) : -1;
        failed_ = failed_ || found < 0;
        return found > 0;
    }

    bool word_in(PyObject* set, Py_ssize_t i) {
        Py_ssize_t end = i;
        while (end - i < kMaxWord && in(kind(end), kLetters)) ++end;
        PyObject* word = PyUnicode_Substring(text_, i, end);
        const bool found = contains(set, word);
        Py_XDECREF(word);
        return found;
    }

    Py_ssize_t spaced_dots(Py_ssize_t i) const {
        if (s_[i] != '.') return 0;
        Py_ssize_t count = 1;
        while (count < kMaxDots && i + 2 < n_ && s_[i + 1] == ' ' && s_[i + 2] == '.') i += 2, ++count;
        return count;
    }

    Py_ssize_t spaced_ellipsis(Py_ssize_t i, Py_ssize_t n_dots) {
        resume_ = i + 2 * n_dots - 1;
        const Py_ssize_t after = skip(resume_, bit(kSpace));
        return n_dots > 3 && in(kind(after), kCapital) ? after : -1;
    }

    bool is_code(Py_ssize_t i) const {
        const Py_ssize_t end = std::min(i, first_ + kCodePrefix);
        unsigned seen = 0;
        for (Py_ssize_t at = first_; at < end; ++at) {
            switch (s_[at]) {
                case '{': case '}': seen |= 1; break;
                case '=': seen |= 2; break;
                case ';': seen |= 4; break;
                case '|': seen |= 8; break;
                case '\\': seen |= 16; break;
                default: break;
            }
        }
        if (seen & (seen - 1)) return true;
        const bool starts = end > first_ && (s_[first_] == '[' || s_[first_] == '(' || is_digit(first_));
        return starts && has_clock(first_, std::min(end, first_ + kClockPrefix));
    }

    bool has_clock(Py_ssize_t a, Py_ssize_t end) const {
        for (; a + 8 <= end; ++a)
            if (is_digit(a) && is_digit(a + 1) && s_[a + 2] == ':' && is_digit(a + 3) && is_digit(a + 4) &&
                s_[a + 5] == ':' && is_digit(a + 6) && is_digit(a + 7))
                return true;
        return false;
    }

    PyObject* text_;
    const Char* s_;
    Py_ssize_t n_;
    const std::uint8_t* table_;
    const WordSets& words_;
    Py_ssize_t start_ = 0, first_ = 0, body_ = 0, item_ = -1, resume_ = 0, opened_ = 0;
    Py_UCS4 closer_ = 0;
    bool failed_ = false;
};

}  // namespace routekit
