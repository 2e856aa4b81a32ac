#include "table.hpp"

#include <cstring>

namespace routekit {
namespace {

constexpr size_t kMaxIdentifier = 64;  // routekit.grammar.MAX_IDENTIFIER

template <class Integer>
uint64_t load(const char* at) {
  Integer value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Ref attribute(PyObject* object, const char* name) { return Ref::take(PyObject_GetAttrString(object, name)); }

std::string utf8(PyObject* text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  if (data == nullptr) throw Raised{};
  return std::string(data, static_cast<size_t>(size));
}

std::vector<std::string> strings(PyObject* iterable) {
  const Ref list = Ref::take(PySequence_List(iterable));
  std::vector<std::string> found;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); ++i) found.push_back(utf8(PyList_GET_ITEM(list.get(), i)));
  return found;
}

int number(PyObject* object, const char* name) {
  const long value = PyLong_AsLong(attribute(object, name).get());
  if (value == -1 && PyErr_Occurred()) throw Raised{};
  return static_cast<int>(value);
}

bool flag(PyObject* object, const char* name) {
  const int value = PyObject_IsTrue(attribute(object, name).get());
  if (value < 0) throw Raised{};
  return value != 0;
}

template <size_t n>
uint8_t index_of(const char* const (&names)[n], PyObject* name) {
  if (name == Py_None) return kNone;
  const std::string wanted = utf8(name);
  for (size_t i = 0; i < n; ++i) {
    if (wanted == names[i]) return static_cast<uint8_t>(i);
  }
  PyErr_Format(PyExc_ValueError, "%R is no role or kind that the native scanner knows", name);
  throw Raised{};
}

int16_t node_named(const Words& names, PyObject* name) {
  if (name == Py_None) return -1;
  const int found = names.find(utf8(name));
  if (found < 0) {
    PyErr_Format(PyExc_KeyError, "the grammar has no node %R", name);
    throw Raised{};
  }
  return static_cast<int16_t>(found);
}

Node compile(PyObject* node, const Words& names) {
  Node compiled{};
  compiled.string = static_cast<Use>(number(node, "string"));
  compiled.number = static_cast<Use>(number(node, "number"));
  compiled.boolean = static_cast<Use>(number(node, "boolean"));
  compiled.elements = node_named(names, attribute(node, "elements").get());
  compiled.others = node_named(names, attribute(node, "others").get());
  compiled.role = index_of(kRoleNames, attribute(node, "role").get());
  compiled.kind = index_of(kKindNames, attribute(node, "kind").get());
  compiled.turn = flag(node, "turn");
  compiled.message = flag(node, "message");
  compiled.media = flag(node, "media");
  compiled.judge_keys = flag(node, "judge_keys");
  return compiled;
}

}  // namespace

Words::Ends Words::ends_of(std::string_view word) {
  const char* data = word.data();
  const size_t n = word.size();
  if (n >= 8) return {load<uint64_t>(data), load<uint64_t>(data + n - 8), n};
  if (n >= 4) return {load<uint32_t>(data), load<uint32_t>(data + n - 4), n};
  if (n == 0) return {};
  return {load<uint8_t>(data) | load<uint8_t>(data + n / 2) << 8, load<uint8_t>(data + n - 1), n};
}

void Words::build(const std::vector<std::string>& words) {
  words_ = words;
  size_t n_slots = 16;
  while (n_slots < words.size() * 4) n_slots *= 2;
  slots_.assign(n_slots, {});
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() > longest_) longest_ = words[i].size();
    const Ends ends = ends_of(words[i]);
    size_t slot = ends.hash() & (n_slots - 1);
    while (slots_[slot].id >= 0) slot = (slot + 1) & (n_slots - 1);
    slots_[slot] = {ends, static_cast<int>(i)};
  }
}

int Words::find(std::string_view word) const {
  if (word.size() > longest_) return -1;
  const size_t mask = slots_.size() - 1;
  const Ends ends = ends_of(word);
  for (size_t slot = ends.hash() & mask; slots_[slot].id >= 0; slot = (slot + 1) & mask) {
    const int id = slots_[slot].id;
    if (slots_[slot].ends == ends && (word.size() <= 16 || words_[static_cast<size_t>(id)] == word)) return id;
  }
  return -1;
}

Table::Table(PyObject* grammar) {
  keys.build(strings(attribute(grammar, "keys").get()));
  n_single = static_cast<int>(strings(attribute(grammar, "single_keys").get()).size());
  const Ref graph = attribute(grammar, "nodes");
  Words names;
  names.build(strings(graph.get()));
  root = names.find("root");
  skip = names.find("skip");
  if (root < 0 || skip < 0 || n_single > 32) {
    PyErr_SetString(PyExc_ValueError, "a grammar needs the nodes 'root' and 'skip' and at most 32 single keys");
    throw Raised{};
  }
  for (int i = 0; i < names.size(); ++i) {
    const Ref node = Ref::take(PyMapping_GetItemString(graph.get(), names[i].c_str()));
    nodes.push_back(compile(node.get(), names));
    const Ref targets = attribute(node.get(), "members");
    for (int key = 0; key < keys.size(); ++key) {
      const Ref name = Ref::take(PyUnicode_FromString(keys[key].c_str()));
      const int there = PySequence_Contains(targets.get(), name.get());
      if (there < 0) throw Raised{};
      members.push_back(there ? node_named(names, Ref::take(PyObject_GetItem(targets.get(), name.get())).get()) : -1);
    }
  }
  const Ref role_map = attribute(grammar, "roles");
  roles.build(strings(role_map.get()));
  for (int i = 0; i < roles.size(); ++i) {
    role_of.push_back(index_of(kRoleNames, Ref::take(PyMapping_GetItemString(role_map.get(), roles[i].c_str())).get()));
  }
  assistant_types.build(strings(attribute(grammar, "assistant_types").get()));
  opaque_types.build(strings(attribute(grammar, "opaque_types").get()));
  media_types.build(strings(attribute(grammar, "media_types").get()));
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text.size() > kMaxIdentifier) return false;
  const auto is_first = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  if (!is_first(static_cast<unsigned char>(text[0]))) return false;
  for (const char signed_c : text) {
    const unsigned char c = static_cast<unsigned char>(signed_c);
    if (!is_first(c) && !(c >= '0' && c <= '9') && c != '.' && c != ':' && c != '/' && c != '+' && c != '-') {
      return false;
    }
  }
  return true;
}

}  // namespace routekit
