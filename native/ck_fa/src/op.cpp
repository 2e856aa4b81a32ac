#include "op.h"

#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "boundary.h"
#include "checks.h"

namespace routekit {
namespace {

constexpr size_t kQ = 0, kK = 1, kV = 2, kBias = 3, kInputs = 4;

const Op& self(const ort::CustomOp* op) { return *reinterpret_cast<const Op*>(op); }

// An absent attribute keeps its default; one of another type is an error. The API tells them apart by message only:
// "No attribute with name:'scale'is defined." and "Attribute name and type don't match".
template <class Entry, class Value>
void read_attribute(const ort::Api& api, const ort::KernelInfo* node, const char* name, const char* type,
                    Value* value) {
  ort::Status* status = Entry::call(api, node, name, value);
  if (!status) return;
  const RuntimeFailure failure(api, status);
  if (std::strstr(failure.message(), "type"))
    throw BadArgument(std::string("routekit.FlashAttention: attribute ") + name + " is not of type " + type);
}

Settings read_settings(const ort::Api& api, const ort::KernelInfo* node) {
  Settings settings;
  int64_t allow_bf16 = 0;
  read_attribute<ort::GetFloatAttribute>(api, node, "scale", "FLOAT", &settings.scale);
  read_attribute<ort::GetIntAttribute>(api, node, "window_left", "INT", &settings.window_left);
  read_attribute<ort::GetIntAttribute>(api, node, "window_right", "INT", &settings.window_right);
  read_attribute<ort::GetIntAttribute>(api, node, "allow_bf16", "INT", &allow_bf16);
  settings.allow_bf16 = allow_bf16 != 0;
  check_settings(settings);
  return settings;
}

struct Kernel {
  const ort::Api& api;
  Settings settings;
  Run run;
};

// The tensor of an input; null where an optional one was left out.
const ort::Value* input(const ort::Api& api, const ort::KernelContext* context, size_t index) {
  size_t n_inputs = 0;
  check(api, ort::GetInputCount::call(api, context, &n_inputs));
  const ort::Value* value = nullptr;
  if (index < n_inputs) check(api, ort::GetInput::call(api, context, index, &value));
  return value;
}

Shape shape_of(const ort::Api& api, const ort::Value* value) {
  ort::TensorInfo* raw = nullptr;
  check(api, ort::GetTensorInfo::call(api, value, &raw));
  const auto release = [&api](ort::TensorInfo* info) { ort::ReleaseTensorInfo::call(api, info); };
  const std::unique_ptr<ort::TensorInfo, decltype(release)> info(raw, release);
  size_t rank = 0;
  check(api, ort::GetRank::call(api, info.get(), &rank));
  Shape shape(rank);
  check(api, ort::GetDimensions::call(api, info.get(), shape.data(), rank));
  return shape;
}

void* data_of(const ort::Api& api, const ort::Value* value) {
  void* data = nullptr;
  check(api, ort::GetTensorData::call(api, const_cast<ort::Value*>(value), &data));
  return data;
}

void compute(const Kernel& kernel, ort::KernelContext* context) {
  const ort::Api& api = kernel.api;
  const ort::Value* q = input(api, context, kQ);
  const ort::Value* k = input(api, context, kK);
  const ort::Value* v = input(api, context, kV);
  const ort::Value* bias = input(api, context, kBias);
  const Shape shape = shape_of(api, q);
  const Shape bias_shape = bias ? shape_of(api, bias) : Shape{};
  const Attention call =
      check_attention(kernel.settings, shape, shape_of(api, k), shape_of(api, v), bias ? &bias_shape : nullptr);
  ort::Value* out = nullptr;
  check(api, ort::GetOutput::call(api, context, 0, shape.data(), shape.size(), &out));
  const void* bias_data = bias ? data_of(api, bias) : nullptr;
  kernel.run(context, call, {data_of(api, q), data_of(api, k), data_of(api, v), bias_data, data_of(api, out)});
}

ort::Status* create(const ort::CustomOp* op, const ort::Api* api, const ort::KernelInfo* node, void** kernel) {
  return guarded(*api, [&] { *kernel = new Kernel{*api, read_settings(*api, node), self(op).device.open(*api)}; });
}

ort::Status* compute_guarded(void* kernel, ort::KernelContext* context) {
  const Kernel& opened = *static_cast<const Kernel*>(kernel);
  return guarded(opened.api, [&] { compute(opened, context); });
}

// True when every dimension is a number or has a name. The runtime would take an anonymous unknown for the number -1,
// and fold it into the Reshape nodes that follow.
bool is_nameable(const ort::Api& api, const ort::TensorInfo* info) {
  size_t rank = 0;
  check(api, ort::GetRank::call(api, info, &rank));
  Shape shape(rank);
  std::vector<const char*> names(rank, "");
  check(api, ort::GetDimensions::call(api, info, shape.data(), rank));
  check(api, ort::GetDimensionNames::call(api, info, names.data(), rank));
  for (size_t i = 0; i < rank; ++i)
    if (shape[i] < 0 && names[i][0] == '\0') return false;
  return true;
}

// The output has the shape of Q, as far as the runtime can be told.
ort::Status* infer_shape(const ort::CustomOp* op, ort::ShapeContext* context) {
  const ort::Api& api = *self(op).api;
  return guarded(api, [&] {
    ort::TensorInfo* info = nullptr;
    check(api, ort::GetInputTypeShape::call(api, context, kQ, &info));
    if (is_nameable(api, info)) check(api, ort::SetOutputTypeShape::call(api, context, 0, info));
  });
}

}  // namespace

Op make_op(const ort::Api& api, const Device& device) {
  using ort::CustomOp;
  const auto zero = [](const CustomOp*) { return 0; };
  const auto element = [](const CustomOp* op, size_t) { return self(op).device.element; };
  CustomOp op{};
  op.version = ort::kApiVersion;
  op.get_name = [](const CustomOp*) { return "FlashAttention"; };
  op.get_provider = [](const CustomOp* o) { return self(o).device.provider; };
  op.get_input_type = element;
  op.get_input_count = [](const CustomOp*) { return kInputs; };
  op.get_input_presence = [](const CustomOp*, size_t index) {
    return index == kBias ? ort::kOptional : ort::kRequired;
  };
  op.get_input_memory = [](const CustomOp*, size_t) { return ort::kDeviceMemory; };
  op.get_output_type = element;
  op.get_output_count = [](const CustomOp*) { return size_t{1}; };
  op.get_output_presence = [](const CustomOp*, size_t) { return ort::kRequired; };
  op.get_variadic_input_min = op.get_variadic_input_homogeneous = zero;
  op.get_variadic_output_min = op.get_variadic_output_homogeneous = zero;
  op.get_start_version = [](const CustomOp*) { return 1; };
  op.get_end_version = [](const CustomOp*) { return INT_MAX; };
  op.create_kernel_v2 = create;
  op.compute_v2 = compute_guarded;
  op.destroy_kernel = [](void* kernel) { delete static_cast<Kernel*>(kernel); };
  op.infer_shape = infer_shape;
  return {op, &api, device};
}

}  // namespace routekit
