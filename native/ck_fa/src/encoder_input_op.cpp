// `routekit::EncoderInput` as the runtime sees it: schema, checks, and the way to the kernels.
#include <string>

#include "cpu/instruction_sets.h"
#include "cpu_op.h"
#include "encoder_input.h"
#include "inputs.h"

namespace routekit {
namespace {

constexpr size_t kWords = 0, kScales = 1, kKind = 2, kKinds = 3, kPlaces = 4, kGain = 5, kShift = 6;

struct InputNode {
  static constexpr const char* kName = "EncoderInput";
  static constexpr size_t kInputs = 7, kLike = kWords;

  const ort::Api& api;
  float epsilon = 1e-12f;
  cpu::LayerKernels kernels;

  InputNode(const ort::Api& given, const ort::KernelInfo* node) : api(given), kernels(cpu::choose_layer_kernels()) {
    read_attribute<ort::GetFloatAttribute>(api, node, kName, "epsilon", "FLOAT", &epsilon);
  }

  static ort::ElementType input_type(size_t index) {
    return index == kWords ? ort::kInt8 : index == kKind ? ort::kInt64 : ort::kFloat32;
  }

  void compute(ort::KernelContext* context) const;
};

EncoderInput read_input(const InputNode& node, const Inputs& inputs) {
  const Shape words = inputs.shape(kWords), kinds = inputs.shape(kKinds), places = inputs.shape(kPlaces);
  const std::string given =
      "words are " + quoted(words) + ", kinds are " + quoted(kinds) + ", places are " + quoted(places);
  if (words.size() != 3 || kinds.size() != 2 || places.size() != 2)
    inputs.refuse(given + "; expected [batch, tokens, hidden], [kinds, hidden], [places, hidden]");
  EncoderInput input{};
  input.n_batch = words[0], input.n_tokens = words[1], input.hidden = words[2], input.epsilon = node.epsilon;
  if (input.hidden == 0 || input.hidden % kTokenPanelColumns != 0)
    inputs.refuse(given + "; hidden must be a multiple of 16");
  if (input.n_tokens > places[0]) inputs.refuse(given + "; there are more tokens than places");
  input.words = inputs.data<int8_t>(kWords, "words", words);
  input.scales = inputs.data<float>(kScales, "scales", {input.n_batch, input.n_tokens, 1});
  input.kind = inputs.data<int64_t>(kKind, "kinds of tokens", {input.n_batch, input.n_tokens});
  input.kinds = inputs.data<float>(kKinds, "kinds", {kinds[0], input.hidden});
  input.places = inputs.data<float>(kPlaces, "places", {places[0], input.hidden});
  input.norm = {inputs.data<float>(kGain, "gains", {input.hidden}),
                inputs.data<float>(kShift, "shifts", {input.hidden})};
  for (int64_t row = 0; row < input.n_batch * input.n_tokens; ++row)
    if (input.kind[row] < 0 || input.kind[row] >= kinds[0])
      inputs.refuse("a token is of kind " + std::to_string(input.kind[row]) + ", there are " +
                    std::to_string(kinds[0]));
  return input;
}

void InputNode::compute(ort::KernelContext* context) const {
  EncoderInput input = read_input(*this, {api, context, kName});
  input.y = output_of(api, context, {input.n_batch, input.n_tokens, input.hidden});
  cpu::Pool pool{api, context};
  cpu::launch(input, kernels, pool.parallel_for());
}

}  // namespace

Op make_input_op(const ort::Api& api) { return make_cpu_op<InputNode>(api); }

}  // namespace routekit
