// The grammar of routekit.request_grammar, compiled for the scanner. Immutable once built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python.hpp"

namespace routekit {

// Numbers are those of routekit.grammar.Use.
enum class Use : uint8_t {
  kSkip, kText, kName, kRole, kType, kData, kModel, kStream, kMaxTokens, kToolName, kWrong, kTokenIds,
  kToolType
};

// Numbers are those of routekit.refusals.Refusal.
enum class Refusal : int {
  kEmpty, kBom, kNotAnObject, kSyntax, kString, kNumber, kTruncated, kTrailing, kRepeatedKey, kCaseVariant,
  kWrongType, kTokenIds, kTooDeep, kTooManySegments, kTooLarge, kBlank
};

// Whose text and what kind: an index into the names below; kNone is "inherited" in a table, "not known" in a walk.
constexpr uint8_t kNone = 0xFF;
constexpr const char* kRoleNames[] = {"system", "user", "assistant", "tool"};
constexpr const char* kKindNames[] = {"text", "tool_schema", "tool_result"};
enum : uint8_t { kUser = 1, kAssistant = 2, kTool = 3 };
enum : uint8_t { kPlainText = 0, kToolResult = 2 };

struct Node {
  Use string, number, boolean;
  int16_t elements, others;  // node, -1 where refused
  uint8_t role, kind;
  bool turn, message, media, judge_keys;
};

// A small set of strings with a number for each, by open addressing.
class Words {
 public:
  void build(const std::vector<std::string>& words);
  int find(std::string_view word) const;  // -1 if absent
  int size() const { return static_cast<int>(words_.size()); }
  const std::string& operator[](int i) const { return words_[static_cast<size_t>(i)]; }

 private:
  // The first and last eight bytes (four, or one to three, of short words) and the size: all of a word up to 16 bytes.
  struct Ends {
    uint64_t first = 0, last = 0;
    size_t size = 0;
    bool operator==(const Ends& other) const {
      return first == other.first && last == other.last && size == other.size;
    }
    size_t hash() const { return static_cast<size_t>(((first ^ (last << 1)) + size) * 0x9E3779B97F4A7C15ull >> 40); }
  };
  struct Slot {
    Ends ends;
    int id = -1;
  };
  static Ends ends_of(std::string_view word);

  std::vector<std::string> words_;
  std::vector<Slot> slots_;
  size_t longest_ = 0;
};

struct Table {
  std::vector<Node> nodes;
  std::vector<int16_t> members;  // [node * keys.size() + key] -> node, -1 where the key is one of the others
  Words keys;                    // the single keys first
  int n_single = 0;
  int root = 0;
  int skip = 0;
  Words roles;
  std::vector<uint8_t> role_of;  // parallel to roles
  Words assistant_types, opaque_types, media_types;

  explicit Table(PyObject* grammar);  // throws Raised

  int member(int node, int key) const {
    return key < 0 ? -1 : members[static_cast<size_t>(node * keys.size() + key)];
  }
};

bool is_identifier(std::string_view text);  // routekit.grammar.is_identifier

}  // namespace routekit
