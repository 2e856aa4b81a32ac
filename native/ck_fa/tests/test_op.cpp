// The op at the C boundary of a runtime that fails at every call in turn: what comes back, and that nothing leaks.
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "expect.h"
#include "fake_runtime.h"

extern "C" ort::Status* RegisterCustomOps(ort::SessionOptions*, const ort::ApiBase*);

namespace {

std::string take_message(ort::Status* status) {
  if (!status) return "";
  const std::string message = status->message;
  ort::ReleaseStatus::call(*fake::api(), status);
  return message;
}

const ort::CustomOp& op_for(const std::string& provider, const std::string& name = "FlashAttention") {
  ort::SessionOptions options;
  const ort::ApiBase runtime = fake::runtime();
  EXPECT(take_message(RegisterCustomOps(&options, &runtime)).empty(), "registration");
  for (const ort::CustomOp* op : options.domains.at(0)->ops)
    if (op->get_provider(op) == provider && op->get_name(op) == name) return *op;
  std::abort();
}

// A call of 2 x 1 x 5 queries on 9 keys of 4 numbers each.
struct Call {
  std::vector<float> q = std::vector<float>(40, 0.1f), kv = std::vector<float>(72, 0.2f), bias = std::vector<float>(9),
                     out = std::vector<float>(40);
  ort::Value q_value{{2, 1, 5, 4}, q.data()}, k_value{{2, 1, 9, 4}, kv.data()}, v_value{{2, 1, 9, 4}, kv.data()},
      bias_value{{1, 1, 1, 9}, bias.data()};
  ort::KernelContext context{{&q_value, &k_value, &v_value, &bias_value}, {{}, out.data()}, nullptr, 2};
};

// 70 rows of 5 numbers, all 1, times weights that are all 2, to 17 columns; what is not rotated counts eight times.
struct LinearCall {
  std::vector<float> x = std::vector<float>(350, 1.0f), scales = std::vector<float>(17, 2.0f / 127),
                     out = std::vector<float>(1190);
  std::vector<uint8_t> weights = std::vector<uint8_t>(2 * 2 * 64, 128 + 127);
  ort::Value x_value{{2, 35, 5}, x.data()}, weights_value{{2, 2, 64}, weights.data()},
      scales_value{{17}, scales.data()};
  ort::KernelContext context{{&x_value, &weights_value, &scales_value}, {{}, out.data()}, nullptr, 2};
};

// A layer of 16 channels on 2 x 3 tokens whose products give their bias, 0, alone: it only normalises x, twice.
struct LayerCall {
  std::vector<float> x = std::vector<float>(96), out = std::vector<float>(96), zeros = std::vector<float>(48),
                     ones = std::vector<float>(48, 1.0f);
  std::vector<int64_t> mask = std::vector<int64_t>(6, 1);
  std::vector<int8_t> weights = std::vector<int8_t>(16 * 48);
  std::vector<int32_t> starts = std::vector<int32_t>(48);
  std::vector<ort::Value> values;
  ort::KernelContext context;

  LayerCall() {
    for (size_t i = 0; i < x.size(); ++i) x[i] = i % 2 ? 3.0f : 1.0f;
    values = {{{2, 3, 16}, x.data()}, {{2, 3}, mask.data()}};
    for (int64_t columns : {48, 16, 16, 16})
      for (const ort::Value& value :
           {ort::Value{{columns / 16, 4, 16, 4}, weights.data()}, ort::Value{{columns}, starts.data()},
            ort::Value{{columns}, ones.data()}, ort::Value{{columns}, zeros.data()}, ort::Value{{16}, ones.data()}})
        values.push_back(value);
    for (int norm = 0; norm < 2; ++norm) values.push_back({{16}, ones.data()}), values.push_back({{16}, zeros.data()});
    context = {{}, {{}, out.data()}, nullptr, 2};
    for (ort::Value& value : values) context.inputs.push_back(&value);
  }
};

// 2 x 3 tokens of 16 channels: the word says which are 1 larger than the others, before all are normalised.
struct InputCall {
  std::vector<int8_t> words = std::vector<int8_t>(96);
  std::vector<float> scales = std::vector<float>(6, 0.5f), rows = std::vector<float>(64, 1.0f),
                     ones = std::vector<float>(16, 1.0f), zeros = std::vector<float>(16), out = std::vector<float>(96);
  std::vector<int64_t> kind = {0, 1, 0, 1, 0, 1};
  std::vector<ort::Value> values;
  ort::KernelContext context;

  InputCall() {
    for (size_t i = 0; i < words.size(); ++i) words[i] = i % 2 ? 2 : 0;
    values = {{{2, 3, 16}, words.data()}, {{2, 3, 1}, scales.data()}, {{2, 3}, kind.data()}, {{2, 16}, rows.data()},
              {{4, 16}, rows.data()},     {{16}, ones.data()},        {{16}, zeros.data()}};
    context = {{}, {{}, out.data()}, nullptr, 2};
    for (ort::Value& value : values) context.inputs.push_back(&value);
  }
};

template <class Call>
std::string create_and_compute(const ort::CustomOp& op, const ort::KernelInfo& node, Call& call) {
  void* kernel = nullptr;
  std::string message = take_message(op.create_kernel_v2(&op, fake::api(), &node, &kernel));
  if (!message.empty()) return message;
  message = take_message(op.compute_v2(kernel, &call.context));
  op.destroy_kernel(kernel);
  return message;
}

void test_call_gives_the_values() {
  Call call;
  EXPECT(create_and_compute(op_for("CPUExecutionProvider"), {}, call).empty(), "compute");
  EXPECT((call.context.output.shape == std::vector<int64_t>{2, 1, 5, 4}), "output shape");
  for (float x : call.out) EXPECT(x > 0.1999f && x < 0.2001f, "%g", x);
}

void test_linear_call_gives_the_values() {
  LinearCall call;
  const ort::CustomOp& op = op_for("CPUExecutionProvider", "QuantizedLinear");
  EXPECT(create_and_compute(op, {}, call).empty(), "compute");
  EXPECT((call.context.output.shape == std::vector<int64_t>{2, 35, 17}), "output shape");
  for (float x : call.out) EXPECT(x > 79.99f && x < 80.01f, "%g", x);
}

void test_layer_call_gives_the_values() {
  LayerCall call;
  const ort::CustomOp& op = op_for("CPUExecutionProvider", "EncoderLayer");
  EXPECT(create_and_compute(op, {}, call).empty(), "compute");
  EXPECT((call.context.output.shape == std::vector<int64_t>{2, 3, 16}), "output shape");
  for (size_t i = 0; i < call.out.size(); ++i) {
    const float error = call.out[i] - (i % 2 ? 1.0f : -1.0f);
    EXPECT(error > -1e-5f && error < 1e-5f, "%g", error);
  }
}

void test_input_call_gives_the_values() {
  InputCall call;
  const ort::CustomOp& op = op_for("CPUExecutionProvider", "EncoderInput");
  EXPECT(create_and_compute(op, {}, call).empty(), "compute");
  for (size_t i = 0; i < call.out.size(); ++i) {
    const float error = call.out[i] - (i % 2 ? 1.0f : -1.0f);
    EXPECT(error > -1e-5f && error < 1e-5f, "%g", error);
  }
  ort::ShapeContext context{{{-1, 5, 16}, "rows"}, {}, {}};
  EXPECT(take_message(op.infer_shape(&op, &context)).empty(), "infer");
  EXPECT((context.output.shape == std::vector<int64_t>{-1, 5, 16}), "inferred");
}

void test_input_is_checked() {
  const ort::CustomOp& op = op_for("CPUExecutionProvider", "EncoderInput");
  const auto expect = [&](InputCall& call, const char* part) {
    const std::string message = create_and_compute(op, {}, call);
    EXPECT(message.find(part) != std::string::npos, "'%s' lacks '%s'", message.c_str(), part);
  };
  for (int64_t kind : {-1, 2}) {
    InputCall call;
    call.kind[5] = kind;
    expect(call, kind < 0 ? "a token is of kind -1, there are 2" : "a token is of kind 2, there are 2");
  }
  InputCall many, narrow, flat, odd;
  many.values[4].shape = {2, 16};
  expect(many, "there are more tokens than places");
  narrow.values[0].shape = {2, 3, 15};
  expect(narrow, "hidden must be a multiple of 16");
  flat.values[0].shape = {2, 48};
  expect(flat, "expected [batch, tokens, hidden]");
  odd.values[1].shape = {2, 3};
  expect(odd, "scales are [2, 3]; expected [2, 3, 1]");
}

std::string refused(size_t input, std::vector<int64_t> shape, ort::KernelInfo node = {}) {
  LayerCall call;
  call.values[input].shape = std::move(shape);
  return create_and_compute(op_for("CPUExecutionProvider", "EncoderLayer"), node, call);
}

void test_layer_shapes_and_attributes_are_checked() {
  const auto expect = [](const std::string& message, const char* part) {
    EXPECT(message.find(part) != std::string::npos, "'%s' lacks '%s'", message.c_str(), part);
  };
  expect(refused(0, {2, 48}), "x is [2, 48]");
  expect(refused(0, {2, 3, 15}), "x is [2, 3, 15]");
  expect(refused(1, {2, 4}), "masks are [2, 4]; expected [2, 3]");
  expect(refused(2, {3, 4, 16, 3}), "weights are [3, 4, 16, 3]; expected [3, 4, 16, 4]");
  expect(refused(3, {47}), "starts are [47]; expected [48]");
  expect(refused(12, {2, 4, 16, 4}), "starts are [16]; expected [32]");  // the inner size is told by these weights
  expect(refused(12, {1, 4}), "expected x [batch, tokens, hidden]");
  expect(refused(25, {15}), "shifts are [15]; expected [16]");
  ort::KernelInfo node;
  node.ints["heads"] = 3;
  expect(refused(0, {2, 3, 16}, node), "a multiple of heads");
  node.ints["heads"] = 0;
  expect(refused(0, {2, 3, 16}, node), "heads is 0");
  node.ints = {{"zero_up", 255}};
  expect(refused(0, {2, 3, 16}, node), "a zero point is 255");
}

void test_linear_shapes_are_checked_and_inferred() {
  const ort::CustomOp& op = op_for("CPUExecutionProvider", "QuantizedLinear");
  LinearCall call;
  call.weights_value.shape = {2, 2, 63};
  const std::string message = create_and_compute(op, {}, call);
  EXPECT(message.find("expected weights [2, 2, 64]") != std::string::npos, "%s", message.c_str());
  for (int calls = 0; calls < 12; ++calls) {
    ort::ShapeContext context{{{-1, 5}, "rows"}, {}, {{{2, 2, 64}, ""}, {{17}, ""}}};
    fake::calls_until_failure = calls;
    take_message(op.infer_shape(&op, &context));
    fake::calls_until_failure = -1;
  }
  ort::ShapeContext context{{{-1, 5}, "rows"}, {}, {{{2, 2, 64}, ""}, {{17}, ""}}};
  EXPECT(take_message(op.infer_shape(&op, &context)).empty(), "infer");
  EXPECT((context.output.shape == std::vector<int64_t>{-1, 17}), "inferred");
}

void test_optional_bias_may_be_null_or_absent() {
  Call null, absent;
  null.context.inputs[3] = nullptr;
  absent.context.inputs.pop_back();
  EXPECT(create_and_compute(op_for("CPUExecutionProvider"), {}, null).empty(), "null");
  EXPECT(create_and_compute(op_for("CPUExecutionProvider"), {}, absent).empty(), "absent");
}

// Attributes that are read with a failure keep their default, so failures begin to matter after those calls.
template <class Call>
void test_every_failure_of_the_runtime_is_handed_on(const char* name, int kAttributes) {
  const ort::CustomOp& op = op_for("CPUExecutionProvider", name);
  int n_failed = 0;
  for (int calls = 0;; ++calls) {
    Call call;
    fake::calls_until_failure = calls;
    const std::string message = create_and_compute(op, {}, call);
    const bool reached = fake::calls_until_failure < 0;
    fake::calls_until_failure = -1;
    if (!reached) break;
    if (calls >= kAttributes) EXPECT(message == "injected", "call %d: '%s'", calls, message.c_str());
    ++n_failed;
  }
  EXPECT(n_failed > 15, "%d calls", n_failed);
}

void test_bad_shape_is_quoted() {
  Call call;
  call.k_value.shape = {2, 1, 9, 5};
  const std::string message = create_and_compute(op_for("CPUExecutionProvider"), {}, call);
  EXPECT(message.find("[2, 1, 9, 5]") != std::string::npos, "%s", message.c_str());
}

void test_bad_attribute_is_refused() {
  Call call;
  ort::KernelInfo node;
  node.ints["window_left"] = -7;
  const std::string message = create_and_compute(op_for("CPUExecutionProvider"), node, call);
  EXPECT(message.find("a window is -7") != std::string::npos, "%s", message.c_str());
}

void test_old_runtime_is_told_what_is_needed() {
  ort::SessionOptions options;
  const ort::ApiBase runtime = fake::old_runtime();
  const std::string message = take_message(RegisterCustomOps(&options, &runtime));
  EXPECT(message.find("need onnxruntime 1.17 or newer; this is 1.16.3") != std::string::npos, "%s", message.c_str());
}

std::vector<int64_t> inferred(const std::vector<int64_t>& q, const std::string& unknown) {
  ort::ShapeContext context{{q, unknown}, {}};
  const ort::CustomOp& op = op_for("CPUExecutionProvider");
  EXPECT(take_message(op.infer_shape(&op, &context)).empty(), "infer");
  return context.output.shape;
}

void test_output_takes_the_shape_of_q_unless_it_is_anonymous() {
  const std::vector<int64_t> known{2, 3, 5, 8}, open{2, -1, 5, 8};
  EXPECT(inferred(known, "") == known, "known");
  EXPECT(inferred(open, "heads") == open, "named");
  EXPECT(inferred(open, "").empty(), "anonymous");
}

void test_sessions_register_and_run_side_by_side() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 20; ++i) {
        Call call;
        create_and_compute(op_for("CPUExecutionProvider"), {}, call);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main() {
  setenv("ROUTEKIT_CK_FA_ISA", "portable", 0);  // or layers would refuse a machine without dot products of bytes
  test_call_gives_the_values();
  test_optional_bias_may_be_null_or_absent();
  test_every_failure_of_the_runtime_is_handed_on<Call>("FlashAttention", 4);
  test_every_failure_of_the_runtime_is_handed_on<LinearCall>("QuantizedLinear", 1);
  test_every_failure_of_the_runtime_is_handed_on<LayerCall>("EncoderLayer", 6);
  test_every_failure_of_the_runtime_is_handed_on<InputCall>("EncoderInput", 1);
  test_linear_call_gives_the_values();
  test_input_call_gives_the_values();
  test_input_is_checked();
  test_layer_call_gives_the_values();
  test_layer_shapes_and_attributes_are_checked();
  test_linear_shapes_are_checked_and_inferred();
  test_bad_shape_is_quoted();
  test_bad_attribute_is_refused();
  test_old_runtime_is_told_what_is_needed();
  test_output_takes_the_shape_of_q_unless_it_is_anonymous();
  test_sessions_register_and_run_side_by_side();
  EXPECT(fake::n_statuses == 0, "%d statuses leaked", fake::n_statuses.load());
  EXPECT(fake::n_tensor_infos == 0, "%d tensor infos leaked", fake::n_tensor_infos.load());
  std::printf("op: %d failures\n", n_failures);
  return n_failures;
}
