// Numbers terms in order of first appearance and counts them by unit: the rule of routekit/terms.py.
#pragma once

#include <vector>

#include "characters.h"

namespace routekit {

struct TermCounts {
    std::vector<std::int64_t> sizes;  // entries in each unit's row
    std::vector<std::int32_t> terms, counts;
};

// An open hash table. Terms are compared character by character, so hashing decides nothing but the place; its seed is
// secret, so that nobody can prepare a text whose terms all meet in one place.
class Vocabulary {
  public:
    explicit Vocabulary(std::uint64_t seed) : seed_(seed), slots_(1024, -1) {}

    std::size_t size() const { return entries_.size(); }

    template <class Char>
    void add_unit(const Char* s, Py_ssize_t a, Py_ssize_t b, const std::uint8_t* table, TermCounts& out) {
        ++row_;
        const std::size_t row_start = out.terms.size();
        while (a < b) {
            const Py_UCS4 c = fold(s[a]);
            const int kind = kind_of(table, c);
            if (in(kind, kSpaced | bit(kMark))) {
                word_.clear();
                a = read_run(s, a, b, table, kSpaced | bit(kMark));
                count(word_.data(), word_.size(), out);
            } else if (in(kind, kUnspaced)) {
                word_.clear();
                a = read_run(s, a, b, table, kUnspaced | bit(kMark));
                if (word_.size() == 1) count(word_.data(), 1, out);
                for (std::size_t i = 0; i + 1 < word_.size(); ++i) count(word_.data() + i, 2, out);
            } else {
                ++a;
            }
        }
        out.sizes.push_back(static_cast<std::int64_t>(out.terms.size() - row_start));
    }

  private:
    struct Entry {
        std::uint64_t hash;
        std::size_t offset;
        std::uint32_t length;
        std::int64_t row;       // the last unit that used it
        std::size_t position;   // of its entry there
    };

    static Py_UCS4 fold(Py_UCS4 c) {
        if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
        return Py_UNICODE_TOLOWER(c);
    }

    template <class Char>
    Py_ssize_t read_run(const Char* s, Py_ssize_t a, Py_ssize_t b, const std::uint8_t* table, std::uint32_t kinds) {
        for (; a < b; ++a) {
            const Py_UCS4 c = fold(s[a]);
            if (!in(kind_of(table, c), kinds)) break;
            word_.push_back(c);
        }
        return a;
    }

    void count(const Py_UCS4* term, std::size_t length, TermCounts& out) {
        const std::int32_t number = number_of(term, length);
        Entry& entry = entries_[static_cast<std::size_t>(number)];
        if (entry.row == row_) {
            ++out.counts[entry.position];
            return;
        }
        entry.row = row_;
        entry.position = out.terms.size();
        out.terms.push_back(number);
        out.counts.push_back(1);
    }

    std::int32_t number_of(const Py_UCS4* term, std::size_t length) {
        std::uint64_t hash = seed_;
        for (std::size_t i = 0; i < length; ++i) {
            hash = (hash ^ term[i]) * 0x9E3779B97F4A7C15ull;
            hash ^= hash >> 29;
        }
        hash *= 0xBF58476D1CE4E5B9ull;
        hash ^= hash >> 32;
        const std::size_t mask = slots_.size() - 1;
        std::size_t slot = static_cast<std::size_t>(hash) & mask;
        for (; slots_[slot] >= 0; slot = (slot + 1) & mask) {
            const Entry& entry = entries_[static_cast<std::size_t>(slots_[slot])];
            if (entry.hash == hash && entry.length == length &&
                std::equal(term, term + length, characters_.begin() + static_cast<std::ptrdiff_t>(entry.offset)))
                return slots_[slot];
        }
        const auto number = static_cast<std::int32_t>(entries_.size());
        slots_[slot] = number;
        entries_.push_back({hash, characters_.size(), static_cast<std::uint32_t>(length), 0, 0});
        characters_.insert(characters_.end(), term, term + length);
        if (entries_.size() * 2 > slots_.size()) grow();
        return number;
    }

    void grow() {
        slots_.assign(slots_.size() * 2, -1);
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t number = 0; number < entries_.size(); ++number) {
            std::size_t slot = static_cast<std::size_t>(entries_[number].hash) & mask;
            while (slots_[slot] >= 0) slot = (slot + 1) & mask;
            slots_[slot] = static_cast<std::int32_t>(number);
        }
    }

    std::uint64_t seed_;
    std::int64_t row_ = 0;
    std::vector<std::int32_t> slots_;
    std::vector<Entry> entries_;
    std::vector<Py_UCS4> characters_, word_;
};

}  // namespace routekit
