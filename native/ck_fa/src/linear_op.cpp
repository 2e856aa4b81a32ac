// `routekit::QuantizedLinear` as the runtime sees it: schema, checks, and the way to the kernels.
#include <memory>
#include <string>

#include "cpu/instruction_sets.h"
#include "cpu/pool.h"
#include "linear.h"
#include "runtime.h"

namespace routekit {
namespace {

constexpr size_t kX = 0, kWeights = 1, kScales = 2, kInputs = 3;
constexpr const char* kName = "QuantizedLinear";
constexpr int64_t kLargestDepth = 65536;  // sums of 8-bit products leave 32 bits beyond

struct LinearNode {
  const ort::Api& api;
  int64_t bits;
  cpu::LinearKernels kernels;
};

[[noreturn]] void refuse(const std::string& what) { throw BadArgument("routekit.QuantizedLinear: " + what); }

int64_t read_bits(const ort::Api& api, const ort::KernelInfo* node) {
  int64_t bits = 8;
  read_attribute<ort::GetIntAttribute>(api, node, kName, "bits", "INT", &bits);
  if (bits != 8 && bits != 16) refuse("bits is " + std::to_string(bits) + "; allowed: 8, 16");
  return bits;
}

Linear check_linear(int64_t bits, const Shape& x, const Shape& weights, const Shape& scales) {
  const std::string given =
      "x is " + quoted(x) + ", weights are " + quoted(weights) + ", scales are " + quoted(scales);
  if (x.empty() || scales.size() != 1) refuse(given + "; expected x [.., depth], scales [columns]");
  Linear call{};
  call.bits = bits, call.depth = x.back(), call.n_columns = scales[0], call.n_rows = 1;
  for (size_t axis = 0; axis + 1 < x.size(); ++axis) call.n_rows *= x[axis];
  if (call.depth > kLargestDepth) refuse(given + "; depth may be at most " + std::to_string(kLargestDepth));
  const Shape expected{call.n_panels(), call.n_steps(), kStepBytes};
  if (weights != expected) refuse(given + "; expected weights " + quoted(expected));
  return call;
}

void compute(const LinearNode& node, ort::KernelContext* context) {
  const ort::Api& api = node.api;
  const ort::Value* x = input(api, context, kX);
  const ort::Value* weights = input(api, context, kWeights);
  const ort::Value* scales = input(api, context, kScales);
  Shape shape = shape_of(api, x);
  Linear call = check_linear(node.bits, shape, shape_of(api, weights), shape_of(api, scales));
  shape.back() = call.n_columns;
  ort::Value* out = nullptr;
  check(api, ort::GetOutput::call(api, context, 0, shape.data(), shape.size(), &out));
  call.x = static_cast<const float*>(data_of(api, x));
  call.weights = static_cast<const uint8_t*>(data_of(api, weights));
  call.scales = static_cast<const float*>(data_of(api, scales));
  call.out = static_cast<float*>(data_of(api, out));
  cpu::Pool pool{api, context};
  cpu::launch(call, node.kernels, pool.parallel_for());
}

// The output has the shape of x but for its last size, as far as the runtime can be told.
void infer(const ort::Api& api, ort::ShapeContext* context) {
  OpenShape shape = open_shape_of(api, input_info(api, context, kX));
  const Shape scales = shape_of(api, input_info(api, context, kScales));
  if (scales.size() != 1 || scales[0] < 0 || !shape.is_nameable()) return;
  shape.sizes.back() = scales[0];
  shape.names.back() = "";
  tell_output(api, context, shape);
}

ort::Status* create(const ort::CustomOp*, const ort::Api* api, const ort::KernelInfo* node, void** kernel) {
  return guarded(*api, kName, [&] {
    *kernel = new LinearNode{*api, read_bits(*api, node), cpu::choose_linear_kernels()};
  });
}

ort::Status* compute_guarded(void* kernel, ort::KernelContext* context) {
  const LinearNode& node = *static_cast<const LinearNode*>(kernel);
  return guarded(node.api, kName, [&] { compute(node, context); });
}

ort::Status* infer_shape(const ort::CustomOp* op, ort::ShapeContext* context) {
  return guarded(*self(op).api, kName, [&] { infer(*self(op).api, context); });
}

}  // namespace

Op make_linear_op(const ort::Api& api) {
  ort::CustomOp op = plain_callbacks();
  op.get_name = [](const ort::CustomOp*) { return kName; };
  op.get_input_count = [](const ort::CustomOp*) { return kInputs; };
  op.get_input_type = [](const ort::CustomOp*, size_t index) {
    return index == kWeights ? ort::kUint8 : ort::kFloat32;
  };
  op.create_kernel_v2 = create;
  op.compute_v2 = compute_guarded;
  op.destroy_kernel = [](void* kernel) { delete static_cast<LinearNode*>(kernel); };
  op.infer_shape = infer_shape;
  return {op, &api, {"CPUExecutionProvider", ort::kFloat32, nullptr}};
}

}  // namespace routekit
