// What the ops ask of ONNX Runtime about a node, its tensors and their shapes.
#pragma once

#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "boundary.h"
#include "checks.h"
#include "op.h"

namespace routekit {

inline const Op& self(const ort::CustomOp* op) { return *reinterpret_cast<const Op*>(op); }

// An absent attribute keeps its default; one of another type is an error. The API tells them apart by message only:
// "No attribute with name:'scale'is defined." and "Attribute name and type don't match".
template <class Entry, class Value>
void read_attribute(const ort::Api& api, const ort::KernelInfo* node, const char* op, const char* name,
                    const char* type, Value* value) {
  ort::Status* status = Entry::call(api, node, name, value);
  if (!status) return;
  const RuntimeFailure failure(api, status);
  if (std::strstr(failure.message(), "type"))
    throw BadArgument("routekit." + std::string(op) + ": attribute " + name + " is not of type " + type);
}

// The tensor of an input; null where an optional one was left out.
inline const ort::Value* input(const ort::Api& api, const ort::KernelContext* context, size_t index) {
  size_t n_inputs = 0;
  check(api, ort::GetInputCount::call(api, context, &n_inputs));
  const ort::Value* value = nullptr;
  if (index < n_inputs) check(api, ort::GetInput::call(api, context, index, &value));
  return value;
}

struct ReleaseInfo {
  const ort::Api* api;
  void operator()(ort::TensorInfo* info) const { ort::ReleaseTensorInfo::call(*api, info); }
};
using OwnedInfo = std::unique_ptr<ort::TensorInfo, ReleaseInfo>;

inline Shape shape_of(const ort::Api& api, const ort::TensorInfo* info) {
  size_t rank = 0;
  check(api, ort::GetRank::call(api, info, &rank));
  Shape shape(rank);
  check(api, ort::GetDimensions::call(api, info, shape.data(), rank));
  return shape;
}

inline Shape shape_of(const ort::Api& api, const ort::Value* value) {
  ort::TensorInfo* raw = nullptr;
  check(api, ort::GetTensorInfo::call(api, value, &raw));
  return shape_of(api, OwnedInfo(raw, {&api}).get());
}

inline void* data_of(const ort::Api& api, const ort::Value* value) {
  void* data = nullptr;
  check(api, ort::GetTensorData::call(api, const_cast<ort::Value*>(value), &data));
  return data;
}

// What is known of a shape before a graph runs: dimensions that are -1 have a name, or none.
struct OpenShape {
  Shape sizes;
  std::vector<const char*> names;  // owned by the runtime

  // True when every dimension is a number or has a name. The runtime would take an anonymous unknown for the number -1,
  // and fold it into the Reshape nodes that follow. Of a tensor of unknown rank it says that there are no dimensions.
  bool is_nameable() const {
    if (sizes.empty()) return false;
    for (size_t i = 0; i < sizes.size(); ++i)
      if (sizes[i] < 0 && names[i][0] == '\0') return false;
    return true;
  }
};

inline OpenShape open_shape_of(const ort::Api& api, const ort::TensorInfo* info) {
  OpenShape shape{shape_of(api, info), {}};
  shape.names.assign(shape.sizes.size(), "");
  check(api, ort::GetDimensionNames::call(api, info, shape.names.data(), shape.names.size()));
  return shape;
}

inline const ort::TensorInfo* input_info(const ort::Api& api, const ort::ShapeContext* context, size_t index) {
  ort::TensorInfo* info = nullptr;
  check(api, ort::GetInputTypeShape::call(api, context, index, &info));
  return info;
}

// The output is float32 and of this shape.
inline void tell_output(const ort::Api& api, ort::ShapeContext* context, OpenShape& shape) {
  ort::TensorInfo* raw = nullptr;
  check(api, ort::CreateTensorInfo::call(api, &raw));
  const OwnedInfo info(raw, {&api});
  check(api, ort::SetElementType::call(api, info.get(), ort::kFloat32));
  check(api, ort::SetDimensions::call(api, info.get(), shape.sizes.data(), shape.sizes.size()));
  check(api, ort::SetDimensionNames::call(api, info.get(), shape.names.data(), shape.names.size()));
  check(api, ort::SetOutputTypeShape::call(api, context, 0, info.get()));
}

// The callbacks that all ops answer alike: one output, version 1, required inputs in the device's memory.
inline ort::CustomOp plain_callbacks() {
  using ort::CustomOp;
  const auto zero = [](const CustomOp*) { return 0; };
  CustomOp op{};
  op.version = ort::kApiVersion;
  op.get_provider = [](const CustomOp* o) { return self(o).device.provider; };
  op.get_input_type = [](const CustomOp* o, size_t) { return self(o).device.element; };
  op.get_input_presence = [](const CustomOp*, size_t) { return ort::kRequired; };
  op.get_input_memory = [](const CustomOp*, size_t) { return ort::kDeviceMemory; };
  op.get_output_type = op.get_input_type;
  op.get_output_count = [](const CustomOp*) { return size_t{1}; };
  op.get_output_presence = [](const CustomOp*, size_t) { return ort::kRequired; };
  op.get_variadic_input_min = op.get_variadic_input_homogeneous = zero;
  op.get_variadic_output_min = op.get_variadic_output_homogeneous = zero;
  op.get_start_version = [](const CustomOp*) { return 1; };
  op.get_end_version = [](const CustomOp*) { return INT_MAX; };
  return op;
}

}  // namespace routekit
