// ONNX Runtime as the op sees it, in a few lines: counts what is handed out and given back, and fails on request.
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "ort/abi.h"

namespace ort {

struct Status {
  ErrorCode code;
  std::string message;
};
struct TensorInfo {
  std::vector<int64_t> shape;
  std::string unknown = "size";  // name of dimensions that are -1
};
struct Value {
  std::vector<int64_t> shape;
  void* data;
};
struct KernelInfo {
  std::map<std::string, float> floats;
  std::map<std::string, int64_t> ints;
};
struct KernelContext {
  std::vector<Value*> inputs;  // null: an optional input that was left out
  Value output;
  void* stream;
  int n_threads;
};
struct Domain {
  std::string name;
  std::vector<const CustomOp*> ops;
};
struct SessionOptions {
  std::vector<Domain*> domains;
};
struct ShapeContext {
  TensorInfo input, output;
  std::vector<TensorInfo> others;  // of the inputs after the first
};

}  // namespace ort

namespace fake {

inline std::atomic<int> n_statuses{0}, n_tensor_infos{0};  // handed out and not given back
inline thread_local int calls_until_failure = -1;          // -1: never

inline ort::Status* make_status(ort::ErrorCode code, const char* message) {
  ++n_statuses;
  return new ort::Status{code, message};
}

inline ort::Status* done() {
  if (calls_until_failure < 0 || calls_until_failure-- > 0) return nullptr;
  return make_status(ort::kFail, "injected");
}

template <class Values, class Value>
ort::Status* attribute(const Values& values, const char* name, Value* value) {
  if (ort::Status* failed = done()) return failed;
  const auto found = values.find(name);
  if (found == values.end()) return make_status(ort::kFail, "No attribute with name");
  *value = found->second;
  return nullptr;
}

inline ort::Status* parallel_for(const ort::KernelContext* context, void (*task)(void*, size_t), size_t n, size_t,
                                 void* data) {
  if (ort::Status* failed = done()) return failed;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < n; i = next++) task(data, i);
  };
  std::vector<std::thread> threads;
  for (int t = 1; t < context->n_threads; ++t) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return nullptr;
}

template <class Entry>
struct Slot;
template <int position, class Result, class... Arguments>
struct Slot<ort::Entry<position, Result(Arguments...)>> {
  static void set(ort::Api& api, Result (*function)(Arguments...)) {
    api.entries[position] = reinterpret_cast<void (*)()>(function);
  }
};

inline void set_statuses(ort::Api& api) {
  Slot<ort::CreateStatus>::set(api, make_status);
  Slot<ort::GetErrorMessage>::set(api, [](const ort::Status* status) { return status->message.c_str(); });
  Slot<ort::ReleaseStatus>::set(api, [](ort::Status* status) {
    --n_statuses;
    delete status;
  });
}

inline void set_registration(ort::Api& api) {
  Slot<ort::CreateDomain>::set(api, [](const char* name, ort::Domain** domain) {
    if (ort::Status* failed = done()) return failed;
    *domain = new ort::Domain{name, {}};
    return static_cast<ort::Status*>(nullptr);
  });
  Slot<ort::AddOpToDomain>::set(api, [](ort::Domain* domain, const ort::CustomOp* op) {
    domain->ops.push_back(op);
    return done();
  });
  Slot<ort::AddDomainToSession>::set(api, [](ort::SessionOptions* options, ort::Domain* domain) {
    options->domains.push_back(domain);
    return done();
  });
}

inline void set_tensors(ort::Api& api) {
  Slot<ort::GetTensorData>::set(api, [](ort::Value* value, void** data) {
    *data = value->data;
    return done();
  });
  Slot<ort::GetTensorInfo>::set(api, [](const ort::Value* value, ort::TensorInfo** info) {
    if (ort::Status* failed = done()) return failed;
    ++n_tensor_infos;
    *info = new ort::TensorInfo{value->shape, ""};
    return static_cast<ort::Status*>(nullptr);
  });
  Slot<ort::ReleaseTensorInfo>::set(api, [](ort::TensorInfo* info) {
    --n_tensor_infos;
    delete info;
  });
  Slot<ort::GetRank>::set(api, [](const ort::TensorInfo* info, size_t* rank) {
    *rank = info->shape.size();
    return done();
  });
  Slot<ort::GetDimensions>::set(api, [](const ort::TensorInfo* info, int64_t* shape, size_t rank) {
    for (size_t axis = 0; axis < rank; ++axis) shape[axis] = info->shape[axis];
    return done();
  });
  Slot<ort::GetDimensionNames>::set(api, [](const ort::TensorInfo* info, const char** names, size_t rank) {
    for (size_t axis = 0; axis < rank; ++axis) names[axis] = info->shape[axis] < 0 ? info->unknown.c_str() : "";
    return done();
  });
  Slot<ort::GetInputTypeShape>::set(api, [](const ort::ShapeContext* context, size_t index, ort::TensorInfo** info) {
    *info = const_cast<ort::TensorInfo*>(index == 0 ? &context->input : &context->others.at(index - 1));
    return done();
  });
  Slot<ort::CreateTensorInfo>::set(api, [](ort::TensorInfo** info) {
    if (ort::Status* failed = done()) return failed;
    ++n_tensor_infos;
    *info = new ort::TensorInfo;
    return static_cast<ort::Status*>(nullptr);
  });
  Slot<ort::SetElementType>::set(api, [](ort::TensorInfo*, ort::ElementType) { return done(); });
  Slot<ort::SetDimensions>::set(api, [](ort::TensorInfo* info, const int64_t* shape, size_t rank) {
    info->shape.assign(shape, shape + rank);
    return done();
  });
  Slot<ort::SetDimensionNames>::set(api, [](ort::TensorInfo*, const char**, size_t) { return done(); });
  Slot<ort::SetOutputTypeShape>::set(api, [](const ort::ShapeContext* context, size_t, const ort::TensorInfo* info) {
    const_cast<ort::ShapeContext*>(context)->output = *info;
    return done();
  });
}

inline void set_kernel(ort::Api& api) {
  Slot<ort::GetFloatAttribute>::set(api, [](const ort::KernelInfo* node, const char* name, float* value) {
    return attribute(node->floats, name, value);
  });
  Slot<ort::GetIntAttribute>::set(api, [](const ort::KernelInfo* node, const char* name, int64_t* value) {
    return attribute(node->ints, name, value);
  });
  Slot<ort::GetInputCount>::set(api, [](const ort::KernelContext* context, size_t* n) {
    *n = context->inputs.size();
    return done();
  });
  Slot<ort::GetInput>::set(api, [](const ort::KernelContext* context, size_t index, const ort::Value** value) {
    *value = context->inputs[index];
    return done();
  });
  Slot<ort::GetOutput>::set(
      api, [](ort::KernelContext* context, size_t, const int64_t* shape, size_t rank, ort::Value** value) {
        context->output.shape.assign(shape, shape + rank);
        *value = &context->output;
        return done();
      });
  Slot<ort::GetGpuStream>::set(api, [](const ort::KernelContext* context, void** stream) {
    *stream = context->stream;
    return done();
  });
  Slot<ort::ParallelFor>::set(api, parallel_for);
}

inline const ort::Api* api() {
  static const ort::Api table = [] {
    ort::Api made{};
    set_statuses(made), set_registration(made), set_tensors(made), set_kernel(made);
    return made;
  }();
  return &table;
}

inline ort::ApiBase runtime() {
  return {[](uint32_t version) -> const ort::Api* { return version <= ort::kApiVersion ? api() : nullptr; },
          [] { return "1.17.0"; }};
}

inline ort::ApiBase old_runtime() {
  return {[](uint32_t version) -> const ort::Api* { return version == 1 ? api() : nullptr; }, [] { return "1.16.3"; }};
}

}  // namespace fake
