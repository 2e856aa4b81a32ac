// Walks the grammar beside the JSON and turns what the scanner meets into segments and events.
// The twin of routekit.textwalk, which says more about the rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "python.hpp"
#include "table.hpp"
#include "text.hpp"

namespace routekit {

// Python objects that every walk uses, made once when the module is imported.
struct Vocabulary {
  Ref refuse, text_grown, segment, request_view, body_complete;
  std::vector<Py_ssize_t> text_grown_slots, segment_slots, request_view_slots;  // offsets in the instance, in the order of the dataclass
  std::vector<Ref> roles, kinds;

  void load();  // throws Raised
};
Vocabulary& vocabulary();

[[noreturn]] void refuse(Refusal reason, Py_ssize_t at, std::string_view detail = {});

enum class Mode : uint8_t { kSkip, kText, kWhole };

class Walk {
 public:
  Walk(const Table& table, PyObject* capture, Py_ssize_t max_segments)
      : table_(table), capture_(Ref::share(capture)), max_segments_(max_segments), seen_(table.keys.size(), 0) {}

  size_t depth() const { return open_.size(); }
  bool in_object() const { return open_.back().is_object; }

  void begin(bool is_object, Py_ssize_t at);
  void end();
  void key(std::string_view key, Py_ssize_t start, Py_ssize_t end);
  Mode begin_string(Py_ssize_t at);
  void piece(Ref text, size_t n_utf8);  // at least one character
  void end_text(Ref text, size_t n_utf8, Py_ssize_t end);  // text may be empty (no object)
  void end_whole(std::string_view text, Py_ssize_t end);
  void scalar(std::string_view literal, Py_ssize_t start, Py_ssize_t end);

  PyObject* take_events();  // new tuple
  // New RequestView of a complete body, from what the walk does not know.
  PyObject* view(PyObject* dialect, PyObject* model, PyObject* stream, PyObject* tools, PyObject* cap) const;
  PyObject* seen() const;  // new dict

  PyObject* capture() const { return capture_.get(); }

  Py_ssize_t model_start = -1, model_end = -1;
  Py_ssize_t n_images = 0, n_text_bytes = 0;

 private:
  struct Open {
    int16_t node, value;
    uint8_t role, kind;
    bool is_object, opaque, has_media;
    Py_ssize_t turn;
    uint32_t keys;
  };
  struct Growing {
    Py_ssize_t number, start, end, turn;
    uint8_t role, kind;
    Ref text;
    Py_ssize_t n_characters;  // used of text, which is larger while it grows in place
    bool in_place;
  };

  const Node& node(int16_t i) const { return table_.nodes[static_cast<size_t>(i)]; }
  Growing begin_segment(Py_ssize_t start, const Node& node);
  void grow(Growing& segment, Ref text, size_t n_utf8, bool closed);
  void append(Growing& segment, PyObject* text);
  void whole_segment(std::string_view text, Py_ssize_t start, Py_ssize_t end, const Node& node);
  void settle(Growing& segment, uint8_t role);
  void finish(Growing& segment);
  void resolve(Open& message, uint8_t role);
  void announce(const Growing& segment, PyObject* text, bool closed);
  bool take_type(Open& top, std::string_view type);
  void count_media(Open& holder);
  void note_value(char first);
  bool is_case_variant(std::string_view key) const;
  void call_capture(Use use, std::string_view value, Py_ssize_t at);
  [[noreturn]] void wrong_type(Py_ssize_t at, char first);
  void check(Use use, Py_ssize_t at, char first);

  const Table& table_;
  Ref capture_;
  Py_ssize_t max_segments_;
  std::vector<char> seen_;
  std::vector<Open> open_;
  std::vector<Ref> events_, segments_;
  std::vector<Growing> pending_;
  Growing text_{};
  bool has_text_ = false;
  bool message_is_assistant_ = false;
  Py_ssize_t n_messages_ = 0;
  Use use_ = Use::kSkip;
  Py_ssize_t start_ = 0;
  int key_id_ = -1;
  std::string key_;
};

}  // namespace routekit
