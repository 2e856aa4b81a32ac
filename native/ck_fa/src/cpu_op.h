// What the ops of the embedded encoder share: on the CPU, one float32 output of the shape of one input.
#pragma once

#include "cpu/pool.h"
#include "runtime.h"

namespace routekit {

// The output is float32 and has the shape of an input, as far as the runtime can be told.
inline ort::Status* infer_as(const ort::CustomOp* op, ort::ShapeContext* context, size_t index, const char* name) {
  const ort::Api& api = *self(op).api;
  return guarded(api, name, [&] {
    OpenShape shape = open_shape_of(api, input_info(api, context, index));
    if (!shape.sizes.empty() && shape.is_nameable()) tell_output(api, context, shape);
  });
}

inline float* output_of(const ort::Api& api, ort::KernelContext* context, const Shape& shape) {
  ort::Value* value = nullptr;
  check(api, ort::GetOutput::call(api, context, 0, shape.data(), shape.size(), &value));
  return static_cast<float*>(data_of(api, value));
}

// `Node` is made for each node of a graph and runs each call of it. It has `kName`, `kInputs`, `kLike`, the input whose
// shape the output has, `input_type(index)` and `compute(context)`.
template <class Node>
Op make_cpu_op(const ort::Api& api) {
  using ort::CustomOp;
  CustomOp op = plain_callbacks();
  op.get_name = [](const CustomOp*) { return Node::kName; };
  op.get_input_count = [](const CustomOp*) { return Node::kInputs; };
  op.get_input_type = [](const CustomOp*, size_t index) { return Node::input_type(index); };
  op.create_kernel_v2 = [](const CustomOp*, const ort::Api* api, const ort::KernelInfo* node, void** kernel) {
    return guarded(*api, Node::kName, [&] { *kernel = new Node(*api, node); });
  };
  op.compute_v2 = [](void* kernel, ort::KernelContext* context) {
    const Node& node = *static_cast<const Node*>(kernel);
    return guarded(node.api, Node::kName, [&] { node.compute(context); });
  };
  op.destroy_kernel = [](void* kernel) { delete static_cast<Node*>(kernel); };
  op.infer_shape = [](const CustomOp* o, ort::ShapeContext* c) { return infer_as(o, c, Node::kLike, Node::kName); };
  return {op, &api, {"CPUExecutionProvider", ort::kFloat32, nullptr}};
}

}  // namespace routekit
