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

}  // namespace routekit
