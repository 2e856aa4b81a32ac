// The kinds of routekit/characters.py, and a text of any storage width seen as code points with kinds.
#pragma once

#include <Python.h>

#include <cstdint>

namespace routekit {

enum Kind : int {
    kEnd = -1, kOther, kSpace, kNewline, kLower, kUpper, kLetter, kIdeograph, kUnmarked, kDigit,
    kMark, kStop, kStrong, kFull, kOpener, kCloser, kQuote, kBullet, kColon,
};

constexpr Py_UCS4 kTableSize = 0x20000;

inline int kind_of(const std::uint8_t* table, Py_UCS4 c) {
    if (c < kTableSize) return table[c];
    if (c < 0x40000) return kIdeograph;
    return c >= 0xE0000 && c < 0xE1000 ? kMark : kOther;
}

constexpr std::uint32_t bit(int kind) { return kind < 0 ? 0u : 1u << kind; }
constexpr std::uint32_t kTerminators = bit(kStop) | bit(kStrong) | bit(kFull);
constexpr std::uint32_t kBlank = bit(kSpace) | bit(kNewline);
constexpr std::uint32_t kCapital = bit(kUpper) | bit(kLetter);
constexpr std::uint32_t kLetters = bit(kLower) | kCapital;
constexpr std::uint32_t kBeforeWord =
    bit(kOther) | bit(kOpener) | bit(kCloser) | bit(kQuote) | bit(kBullet) | bit(kMark);
constexpr std::uint32_t kSpaced = kLetters | bit(kDigit);
constexpr std::uint32_t kUnspaced = bit(kIdeograph) | bit(kUnmarked);

inline bool in(int kind, std::uint32_t kinds) { return (bit(kind) & kinds) != 0; }

}  // namespace routekit
