// `routekit::FlashAttention` as the runtime sees it.
#include "op.h"

#include "checks.h"
#include "runtime.h"

namespace routekit {
namespace {

constexpr size_t kQ = 0, kK = 1, kV = 2, kBias = 3, kInputs = 4;
constexpr const char* kName = "FlashAttention";

Settings read_settings(const ort::Api& api, const ort::KernelInfo* node) {
  Settings settings;
  int64_t allow_bf16 = 0;
  read_attribute<ort::GetFloatAttribute>(api, node, kName, "scale", "FLOAT", &settings.scale);
  read_attribute<ort::GetIntAttribute>(api, node, kName, "window_left", "INT", &settings.window_left);
  read_attribute<ort::GetIntAttribute>(api, node, kName, "window_right", "INT", &settings.window_right);
  read_attribute<ort::GetIntAttribute>(api, node, kName, "allow_bf16", "INT", &allow_bf16);
  settings.allow_bf16 = allow_bf16 != 0;
  check_settings(settings);
  return settings;
}

struct Kernel {
  const ort::Api& api;
  Settings settings;
  Run run;
};

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
  return guarded(*api, kName, [&] {
    *kernel = new Kernel{*api, read_settings(*api, node), self(op).device.open(*api)};
  });
}

ort::Status* compute_guarded(void* kernel, ort::KernelContext* context) {
  const Kernel& opened = *static_cast<const Kernel*>(kernel);
  return guarded(opened.api, kName, [&] { compute(opened, context); });
}

// The output has the shape of Q, as far as the runtime can be told.
ort::Status* infer_shape(const ort::CustomOp* op, ort::ShapeContext* context) {
  const ort::Api& api = *self(op).api;
  return guarded(api, kName, [&] {
    const ort::TensorInfo* info = input_info(api, context, kQ);
    if (open_shape_of(api, info).is_nameable()) check(api, ort::SetOutputTypeShape::call(api, context, 0, info));
  });
}

}  // namespace

Op make_op(const ort::Api& api, const Device& device) {
  using ort::CustomOp;
  CustomOp op = plain_callbacks();
  op.get_name = [](const CustomOp*) { return kName; };
  op.get_input_count = [](const CustomOp*) { return kInputs; };
  op.get_input_presence = [](const CustomOp*, size_t index) {
    return index == kBias ? ort::kOptional : ort::kRequired;
  };
  op.create_kernel_v2 = create;
  op.compute_v2 = compute_guarded;
  op.destroy_kernel = [](void* kernel) { delete static_cast<Kernel*>(kernel); };
  op.infer_shape = infer_shape;
  return {op, &api, device};
}

}  // namespace routekit
