// What the parts of routekit._json share of Python: owned references, and errors as C++ exceptions.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace routekit {

// Thrown when a Python exception is set; caught once, where Python called us.
struct Raised {};

class Ref {
 public:
  Ref() = default;
  // Takes over a new reference; NULL means that a Python exception is set.
  static Ref take(PyObject* object) {
    if (object == nullptr) throw Raised{};
    return Ref(object);
  }
  static Ref share(PyObject* object) {
    Py_INCREF(object);
    return Ref(object);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Ref(const Ref&) = delete;
  Ref& operator=(const Ref&) = delete;
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject** slot() { return &object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Ref(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

}  // namespace routekit
