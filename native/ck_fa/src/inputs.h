// The inputs of one call of an op, checked one by one.
#pragma once

#include <string>

#include "runtime.h"

namespace routekit {

struct Inputs {
  const ort::Api& api;
  const ort::KernelContext* context;
  const char* op;

  Shape shape(size_t index) const { return shape_of(api, input(api, context, index)); }

  template <class Number>
  const Number* data(size_t index, const char* what, const Shape& expected) const {
    const ort::Value* value = input(api, context, index);
    const Shape given = shape_of(api, value);
    if (given != expected) refuse(std::string(what) + " are " + quoted(given) + "; expected " + quoted(expected));
    return static_cast<const Number*>(data_of(api, value));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw BadArgument("routekit." + std::string(op) + ": " + what);
  }
};

// The output is float32 and has the shape of an input, as far as the runtime can be told.
inline ort::Status* infer_as(const ort::CustomOp* op, ort::ShapeContext* context, size_t index, const char* name) {
  const ort::Api& api = *self(op).api;
  return guarded(api, name, [&] {
    OpenShape shape = open_shape_of(api, input_info(api, context, index));
    if (!shape.sizes.empty() && shape.is_nameable()) tell_output(api, context, shape);
  });
}

}  // namespace routekit
