#include "walk.hpp"

#include <structmember.h>  // PyMemberDef before Python 3.12

#include <algorithm>

namespace routekit {
namespace {

Ref str(std::string_view utf8) {
  return Ref::take(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), nullptr));
}

std::vector<Py_ssize_t> slots(PyObject* type, std::initializer_list<const char*> names) {
  std::vector<Py_ssize_t> found;
  for (const char* name : names) {
    const Ref slot = Ref::take(PyObject_GetAttrString(type, name));
    if (!Py_IS_TYPE(slot.get(), &PyMemberDescr_Type)) {
      PyErr_Format(PyExc_TypeError, "%R must be a slotted dataclass", type);
      throw Raised{};
    }
    found.push_back(reinterpret_cast<PyMemberDescrObject*>(slot.get())->d_member->offset);
  }
  return found;
}

template <size_t n>
std::vector<Ref> interned(const char* const (&names)[n]) {
  std::vector<Ref> found;
  for (const char* name : names) found.push_back(Ref::take(PyUnicode_InternFromString(name)));
  return found;
}

// Makes an instance of a frozen slotted dataclass by filling its slots: a tenth of the cost of its __init__.
class Instance {
 public:
  Instance(const Ref& type, const std::vector<Py_ssize_t>& slots) : slots_(slots) {
    auto* cls = reinterpret_cast<PyTypeObject*>(type.get());
    object_ = Ref::take(cls->tp_alloc(cls, 0));
  }
  void set(PyObject* value) { set(Ref::share(value)); }
  void set(Py_ssize_t value) { set(Ref::take(PyLong_FromSsize_t(value))); }
  Ref done() { return std::move(object_); }

 private:
  void set(Ref value) {
    char* const slot = reinterpret_cast<char*>(object_.get()) + slots_[next_++];
    *reinterpret_cast<PyObject**>(slot) = value.release();  // empty since tp_alloc
  }

  const std::vector<Py_ssize_t>& slots_;
  size_t next_ = 0;
  Ref object_;
};

PyObject* tuple_of(const std::vector<Ref>& items) {
  Ref tuple = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(items.size())));
  for (size_t i = 0; i < items.size(); ++i) {
    Py_INCREF(items[i].get());
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), items[i].get());
  }
  return tuple.release();
}

// Capacity for a text that goes on after n characters: geometric, so that its growth costs linear time.
Py_ssize_t grown(Py_ssize_t n) { return n + n / 2 + 64; }

// Ends the growth of a str that only we hold. PyUnicode_Resize would give the rest of its memory back; a long text of
// every body then came from fresh pages, and their faults took four fifths of the time of reading 1 MB.
void set_length(PyObject* text, Py_ssize_t n) {
  reinterpret_cast<PyASCIIObject*>(text)->length = n;
  PyUnicode_WRITE(PyUnicode_KIND(text), PyUnicode_DATA(text), n, 0);
}

}  // namespace

Vocabulary& vocabulary() {
  static auto* words = new Vocabulary;  // never destroyed: the interpreter may be gone by then
  return *words;
}

void Vocabulary::load() {
  const Ref refusals = Ref::take(PyImport_ImportModule("routekit.refusals"));
  const Ref request = Ref::take(PyImport_ImportModule("routekit.request"));
  refuse = Ref::take(PyObject_GetAttrString(refusals.get(), "refuse"));
  text_grown = Ref::take(PyObject_GetAttrString(request.get(), "TextGrown"));
  segment = Ref::take(PyObject_GetAttrString(request.get(), "Segment"));
  const Ref complete = Ref::take(PyObject_GetAttrString(request.get(), "BodyComplete"));
  body_complete = Ref::take(PyObject_CallNoArgs(complete.get()));
  text_grown_slots = slots(text_grown.get(), {"segment", "role", "kind", "text", "closed"});
  segment_slots = slots(segment.get(), {"role", "kind", "text", "start_byte", "end_byte", "turn"});
  request_view = Ref::take(PyObject_GetAttrString(request.get(), "RequestView"));
  request_view_slots = slots(request_view.get(), {"dialect", "model", "stream", "segments", "n_images", "tools",
                                                  "max_output_tokens", "n_text_bytes"});
  roles = interned(kRoleNames);
  kinds = interned(kKindNames);
}

void refuse(Refusal reason, Py_ssize_t at, std::string_view detail) {
  const Ref shown = str(detail);
  const Ref result = Ref::take(PyObject_CallFunction(vocabulary().refuse.get(), "inO", static_cast<int>(reason), at,
                                                     shown.get()));
  PyErr_SetString(PyExc_SystemError, "routekit.refusals.refuse returned");
  throw Raised{};
}

void Walk::begin(bool is_object, Py_ssize_t at) {
  if (open_.empty()) {
    if (!is_object) refuse(Refusal::kNotAnObject, at);
    const auto root = static_cast<int16_t>(table_.root);
    open_.push_back({root, root, kNone, kPlainText, true, false, false, -1, 0});
    return;
  }
  Open& above = open_.back();
  const Node& here = node(above.value);
  if ((is_object ? here.others : here.elements) < 0) wrong_type(at, is_object ? '{' : '[');
  note_value(is_object ? '{' : '[');
  if (here.media && !node(above.node).media) count_media(above);
  Open opened{above.value, above.value, here.role == kNone ? above.role : here.role,
              here.kind == kNone ? above.kind : here.kind, is_object, false, false, here.turn ? 0 : above.turn, 0};
  if (is_object && here.message) {
    opened.role = kNone;
    opened.turn = n_messages_++;
    message_is_assistant_ = false;
  } else if (!is_object) {
    opened.value = here.elements;
  }
  open_.push_back(opened);
}

void Walk::end() {
  Open closed = open_.back();
  open_.pop_back();
  if (open_.empty()) events_.push_back(Ref::share(vocabulary().body_complete.get()));
  if (closed.is_object && node(closed.node).message && closed.role == kNone) {
    resolve(closed, message_is_assistant_ ? kAssistant : kUser);
  }
}

void Walk::key(std::string_view key, Py_ssize_t start, Py_ssize_t end) {
  Open& top = open_.back();
  const int id = table_.keys.find(key);
  if (id >= 0 && id < table_.n_single) {
    const uint32_t bit = 1u << id;
    if (top.keys & bit) refuse(Refusal::kRepeatedKey, start, key);
    top.keys |= bit;
  }
  if (open_.size() == 1 && is_case_variant(key)) refuse(Refusal::kCaseVariant, start, key);
  key_.assign(key);
  const int member = table_.member(top.node, id);
  const int16_t others = node(top.node).others;
  top.value = static_cast<int16_t>(member >= 0 ? member : others >= 0 ? others : table_.skip);
  key_id_ = member >= 0 ? id : -1;
  if (node(top.node).judge_keys && !is_identifier(key)) whole_segment(key, start, end, node(top.node));
}

Mode Walk::begin_string(Py_ssize_t at) {
  Open& top = open_.back();
  const Node& here = node(top.value);
  check(here.string, at, '"');
  note_value('"');
  if (here.media && !node(top.node).media) count_media(top);
  use_ = here.string;
  if (use_ == Use::kData) use_ = top.opaque ? Use::kSkip : Use::kText;
  start_ = at;
  return use_ == Use::kSkip ? Mode::kSkip : use_ == Use::kText ? Mode::kText : Mode::kWhole;
}

void Walk::piece(Ref text, size_t n_utf8) {
  if (!has_text_) {
    text_ = begin_segment(start_, node(open_.back().value));
    has_text_ = true;
  }
  grow(text_, std::move(text), n_utf8, false);
}

void Walk::end_text(Ref text, size_t n_utf8, Py_ssize_t end) {
  if (!has_text_) {
    if (!text) return;
    text_ = begin_segment(start_, node(open_.back().value));
  }
  has_text_ = false;
  text_.end = end;
  grow(text_, text ? std::move(text) : Ref::take(PyUnicode_New(0, 0)), n_utf8, true);
}

void Walk::end_whole(std::string_view text, Py_ssize_t end) {
  Open& top = open_.back();
  const Node& here = node(top.value);
  if (use_ == Use::kModel) {
    model_start = start_;
    model_end = end;
    call_capture(use_, text, start_);
    return;
  }
  if (use_ == Use::kToolName) {
    call_capture(use_, text, start_);
    whole_segment(text, start_, end, here);
    return;
  }
  if (use_ == Use::kToolType) call_capture(use_, text, start_);
  const bool is_known_type = use_ == Use::kType && take_type(top, text);
  if (use_ == Use::kRole) {
    const int role = table_.roles.find(text);
    if (role >= 0) return resolve(top, table_.role_of[static_cast<size_t>(role)]);
    resolve(top, kUser);
  }
  if (!is_known_type && !is_identifier(text)) whole_segment(text, start_, end, here);
}

void Walk::scalar(std::string_view literal, Py_ssize_t start, Py_ssize_t end) {
  const Node& here = node(open_.back().value);
  if (literal == "null") {
    if (here.string == Use::kModel) {
      model_start = start;
      model_end = end;
    }
    return;
  }
  const Use use = literal[0] == 't' || literal[0] == 'f' ? here.boolean : here.number;
  check(use, start, literal[0]);
  note_value(literal[0]);
  if (use != Use::kSkip) call_capture(use, literal, start);
}

PyObject* Walk::take_events() {
  Ref taken = Ref::take(PyTuple_New(static_cast<Py_ssize_t>(events_.size())));
  for (size_t i = 0; i < events_.size(); ++i) {
    PyTuple_SET_ITEM(taken.get(), static_cast<Py_ssize_t>(i), events_[i].release());
  }
  events_.clear();
  return taken.release();
}

PyObject* Walk::view(PyObject* dialect, PyObject* model, PyObject* stream, PyObject* tools, PyObject* cap) const {
  const Vocabulary& words = vocabulary();
  Instance made(words.request_view, words.request_view_slots);
  made.set(dialect);
  made.set(model);
  made.set(stream);
  made.set(Ref::take(tuple_of(segments_)).get());
  made.set(n_images);
  made.set(tools);
  made.set(cap);
  made.set(n_text_bytes);
  return made.done().release();
}

PyObject* Walk::seen() const {
  Ref found = Ref::take(PyDict_New());
  for (int key = 0; key < table_.keys.size(); ++key) {
    const char first = seen_[static_cast<size_t>(key)];
    if (first == 0) continue;
    if (PyDict_SetItem(found.get(), str(table_.keys[key]).get(), str({&first, 1}).get()) < 0) throw Raised{};
  }
  return found.release();
}

Walk::Growing Walk::begin_segment(Py_ssize_t start, const Node& here) {
  const auto number = static_cast<Py_ssize_t>(segments_.size());
  if (number == max_segments_) refuse(Refusal::kTooManySegments, start, std::to_string(max_segments_));
  const Open& top = open_.back();
  Growing segment{number, start, start, here.turn ? 0 : top.turn, kNone, here.kind == kNone ? top.kind : here.kind,
                  Ref(), 0, false};
  const uint8_t role = here.role == kNone ? top.role : here.role;
  if (role != kNone) settle(segment, role);
  segments_.emplace_back();  // its place; filled when it is final
  return segment;
}

void Walk::settle(Growing& segment, uint8_t role) {
  segment.role = role;
  if (role == kTool && segment.kind == kPlainText) segment.kind = kToolResult;
}

void Walk::grow(Growing& segment, Ref text, size_t n_utf8, bool closed) {
  n_text_bytes += static_cast<Py_ssize_t>(n_utf8);
  const bool is_final = closed && segment.role != kNone;
  announce(segment, text.get(), is_final);
  if (closed && !segment.text) {
    segment.text = std::move(text);
  } else {
    append(segment, text.get());
  }
  if (!closed) return;
  if (segment.in_place) set_length(segment.text.get(), segment.n_characters);
  if (is_final) {
    finish(segment);
  } else {
    pending_.push_back(std::move(segment));
  }
}

// Appends in place. Only this walk holds segment.text while it grows, so it may be written and moved.
void Walk::append(Growing& segment, PyObject* text) {
  const Py_ssize_t n_more = PyUnicode_GET_LENGTH(text), n = segment.n_characters;
  const Py_UCS4 largest = PyUnicode_MAX_CHAR_VALUE(text);
  if (!segment.text || PyUnicode_MAX_CHAR_VALUE(segment.text.get()) < largest) {
    Ref wider = Ref::take(PyUnicode_New(grown(n + n_more), largest));
    if (n > 0 && PyUnicode_CopyCharacters(wider.get(), 0, segment.text.get(), 0, n) < 0) throw Raised{};
    segment.text = std::move(wider);
    segment.in_place = true;
  } else if (n + n_more > PyUnicode_GET_LENGTH(segment.text.get())) {
    if (PyUnicode_Resize(segment.text.slot(), grown(n + n_more)) < 0) throw Raised{};
  }
  if (n_more > 0 && PyUnicode_CopyCharacters(segment.text.get(), n, text, 0, n_more) < 0) throw Raised{};
  segment.n_characters = n + n_more;
}

void Walk::finish(Growing& segment) {
  const Vocabulary& words = vocabulary();
  Instance made(words.segment, words.segment_slots);
  made.set(words.roles[segment.role].get());
  made.set(words.kinds[segment.kind].get());
  made.set(segment.text.get());
  made.set(segment.start);
  made.set(segment.end);
  made.set(segment.turn);
  segments_[static_cast<size_t>(segment.number)] = made.done();
  segment.text = Ref();
}

void Walk::announce(const Growing& segment, PyObject* text, bool closed) {
  const Vocabulary& words = vocabulary();
  Instance made(words.text_grown, words.text_grown_slots);
  const bool is_known = segment.role != kNone;
  made.set(segment.number);
  made.set(is_known ? words.roles[segment.role].get() : Py_None);
  made.set(is_known ? words.kinds[segment.kind].get() : Py_None);
  made.set(text);
  made.set(closed ? Py_True : Py_False);
  events_.push_back(made.done());
}

void Walk::whole_segment(std::string_view text, Py_ssize_t start, Py_ssize_t end, const Node& here) {
  if (text.empty()) return;
  Growing segment = begin_segment(start, here);
  segment.end = end;
  grow(segment, str(text), text.size(), true);
}

void Walk::resolve(Open& message, uint8_t role) {
  message.role = role;
  if (pending_.empty()) return;
  const Ref empty = Ref::take(PyUnicode_New(0, 0));
  for (Growing& segment : pending_) {
    settle(segment, role);
    announce(segment, empty.get(), true);
    finish(segment);
  }
  pending_.clear();
}

bool Walk::take_type(Open& top, std::string_view type) {
  top.opaque = table_.opaque_types.find(type) >= 0;
  if (table_.media_types.find(type) >= 0) count_media(top);
  if (node(top.node).message) message_is_assistant_ = table_.assistant_types.find(type) >= 0;
  return top.opaque;
}

void Walk::count_media(Open& holder) {
  n_images += !holder.has_media;
  holder.has_media = true;
}

void Walk::note_value(char first) {
  if (open_.size() == 1 && key_id_ >= 0) seen_[static_cast<size_t>(key_id_)] = first;
}

bool Walk::is_case_variant(std::string_view key) const {
  constexpr size_t kMostBytes = 128;  // folding shortens a character to a third at most, and no single key has 40
  if (key.size() > kMostBytes) return false;
  const int id = table_.keys.find(key);
  if (id >= 0 && id < table_.n_single) return false;
  bool may_fold = false;
  for (const char c : key) may_fold |= (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  if (!may_fold) return false;
  const Ref folded = Ref::take(PyObject_CallMethod(str(key).get(), "casefold", nullptr));
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(folded.get(), &size);
  if (utf8 == nullptr) throw Raised{};
  const int single = table_.keys.find({utf8, static_cast<size_t>(size)});
  return single >= 0 && single < table_.n_single;
}

void Walk::call_capture(Use use, std::string_view value, Py_ssize_t at) {
  const Ref text = str(value);
  const Ref number = Ref::take(PyLong_FromLong(static_cast<long>(use))), offset = Ref::take(PyLong_FromSsize_t(at));
  PyObject* const arguments[] = {number.get(), text.get(), offset.get()};
  Ref event = Ref::take(PyObject_Vectorcall(capture_.get(), arguments, 3, nullptr));
  if (event.get() != Py_None) events_.push_back(std::move(event));
}

// `first` is the first character of the value; the detail is it, then the key.
void Walk::wrong_type(Py_ssize_t at, char first) {
  refuse(Refusal::kWrongType, at, std::string(1, first) + (in_object() ? std::string(key_) : "an array element"));
}

void Walk::check(Use use, Py_ssize_t at, char first) {
  if (use == Use::kTokenIds) refuse(Refusal::kTokenIds, at);
  if (use == Use::kWrong) wrong_type(at, first);
}

}  // namespace routekit
