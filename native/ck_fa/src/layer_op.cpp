// `routekit::EncoderLayer` as the runtime sees it: schema, checks, and the way to the kernels.
#include <string>

#include "cpu/instruction_sets.h"
#include "cpu_op.h"
#include "inputs.h"
#include "layer.h"

namespace routekit {
namespace {

// Inputs: x, mask, then five of each product, then two of each norm.
constexpr size_t kX = 0, kMask = 1, kProducts = 2, kNorms = 22;
constexpr size_t kProductInputs = 5;  // weights, starts, scales, bias, factors
constexpr int64_t kLargestDepth = 32768;  // sums of products of bytes leave 32 bits beyond
constexpr const char* kZeroNames[] = {"zero_qkv", "zero_out", "zero_up", "zero_down"};

[[noreturn]] void refuse(const std::string& what) { throw BadArgument("routekit.EncoderLayer: " + what); }

struct LayerNode {
  static constexpr const char* kName = "EncoderLayer";
  static constexpr size_t kInputs = 26, kLike = kX;

  const ort::Api& api;
  int64_t n_heads = 1;
  int64_t zeros[4] = {128, 128, 128, 128};
  float epsilon = 1e-12f;
  cpu::LayerKernels kernels;

  LayerNode(const ort::Api& given, const ort::KernelInfo* node) : api(given), kernels(cpu::choose_layer_kernels()) {
    read_attribute<ort::GetIntAttribute>(api, node, kName, "heads", "INT", &n_heads);
    for (size_t i = 0; i < 4; ++i)
      read_attribute<ort::GetIntAttribute>(api, node, kName, kZeroNames[i], "INT", &zeros[i]);
    read_attribute<ort::GetFloatAttribute>(api, node, kName, "epsilon", "FLOAT", &epsilon);
    if (n_heads < 1) refuse("heads is " + std::to_string(n_heads) + "; expected at least 1");
    for (int64_t zero : zeros)
      if (zero < 0 || zero > 254) refuse("a zero point is " + std::to_string(zero) + "; expected 0 to 254");
  }

  static ort::ElementType input_type(size_t index) {
    if (index == kMask) return ort::kInt64;
    if (index < kProducts || index >= kNorms) return ort::kFloat32;
    const size_t part = (index - kProducts) % kProductInputs;
    return part == 0 ? ort::kInt8 : part == 1 ? ort::kInt32 : ort::kFloat32;
  }

  void compute(ort::KernelContext* context) const;
};

TokenProduct read_product(const Inputs& inputs, size_t which, int64_t zero, int64_t depth, int64_t n_columns) {
  const size_t first = kProducts + which * kProductInputs;
  const Shape packed{n_columns / kTokenPanelColumns, depth / kTokenStepRows, kTokenPanelColumns, kTokenStepRows};
  return {depth,
          n_columns,
          static_cast<int32_t>(zero),
          inputs.data<int8_t>(first, "weights", packed),
          inputs.data<int32_t>(first + 1, "starts", {n_columns}),
          inputs.data<float>(first + 2, "scales", {n_columns}),
          inputs.data<float>(first + 3, "biases", {n_columns}),
          inputs.data<float>(first + 4, "factors", {depth})};
}

Norm read_norm(const Inputs& inputs, size_t which, int64_t hidden) {
  const size_t first = kNorms + 2 * which;
  return {inputs.data<float>(first, "gains", {hidden}), inputs.data<float>(first + 1, "shifts", {hidden})};
}

// Sizes, from the shapes of x and of the weights that lead to the inner vectors.
Layer read_sizes(const LayerNode& node, const Inputs& inputs) {
  const Shape x = inputs.shape(kX), up = inputs.shape(kProducts + 2 * kProductInputs);
  const std::string given = "x is " + quoted(x) + ", weights of the third product are " + quoted(up) + ", heads " +
                            std::to_string(node.n_heads);
  if (x.size() != 3 || up.size() != 4)
    refuse(given + "; expected x [batch, tokens, hidden], weights [columns / 16, depth / 4, 16, 4]");
  Layer layer{};
  layer.n_batch = x[0], layer.n_tokens = x[1], layer.hidden = x[2], layer.n_heads = node.n_heads;
  layer.inner = up[0] * kTokenPanelColumns;
  layer.epsilon = node.epsilon;
  const bool fits = layer.hidden > 0 && layer.hidden % kTokenPanelColumns == 0 && layer.hidden <= kLargestDepth &&
                    layer.inner > 0 && layer.inner <= kLargestDepth && layer.hidden % node.n_heads == 0;
  if (!fits)
    refuse(given + "; hidden and inner sizes must be multiples of 16, of at most " + std::to_string(kLargestDepth) +
           ", and hidden a multiple of heads");
  return layer;
}

Layer read_layer(const LayerNode& node, const Inputs& inputs) {
  Layer layer = read_sizes(node, inputs);
  layer.x = inputs.data<float>(kX, "x", {layer.n_batch, layer.n_tokens, layer.hidden});
  layer.mask = inputs.data<int64_t>(kMask, "masks", {layer.n_batch, layer.n_tokens});
  layer.qkv = read_product(inputs, 0, node.zeros[0], layer.hidden, 3 * layer.hidden);
  layer.out = read_product(inputs, 1, node.zeros[1], layer.hidden, layer.hidden);
  layer.up = read_product(inputs, 2, node.zeros[2], layer.hidden, layer.inner);
  layer.down = read_product(inputs, 3, node.zeros[3], layer.inner, layer.hidden);
  layer.attention_norm = read_norm(inputs, 0, layer.hidden);
  layer.output_norm = read_norm(inputs, 1, layer.hidden);
  return layer;
}

void LayerNode::compute(ort::KernelContext* context) const {
  Layer layer = read_layer(*this, {api, context, kName});
  layer.y = output_of(api, context, {layer.n_batch, layer.n_tokens, layer.hidden});
  cpu::Pool pool{api, context};
  cpu::launch(layer, kernels, pool.parallel_for());
}

}  // namespace

Op make_layer_op(const ort::Api& api) { return make_cpu_op<LayerNode>(api); }

}  // namespace routekit
