// The part of ONNX Runtime's C ABI that custom ops need, in our own declarations.
//
// No package ships the headers, and the ABI promises that its function table is only ever appended to. So each entry
// is named here by its position and signature, as of API version 17 (onnxruntime 1.17); later runtimes hand out the
// same table for that version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ort {

constexpr uint32_t kApiVersion = 17;

struct Status;
struct KernelInfo;
struct KernelContext;
struct Value;
struct TensorInfo;
struct SessionOptions;
struct Domain;
struct ShapeContext;

enum ErrorCode : int { kFail = 1, kInvalidArgument = 2, kRuntimeException = 6, kNotImplemented = 9 };
enum ElementType : int { kUndefined = 0, kFloat32 = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7, kFloat16 = 10 };
enum Presence : int { kRequired = 0, kOptional = 1 };
enum MemoryType : int { kDeviceMemory = 0 };

struct Api {
  void (*entries[275])();
};

struct ApiBase {
  const Api* (*get_api)(uint32_t version);  // null when the runtime is older than `version`
  const char* (*get_version)();
};

template <int position, class Signature>
struct Entry;

template <int position, class Result, class... Arguments>
struct Entry<position, Result(Arguments...)> {
  static Result call(const Api& api, Arguments... arguments) {
    return reinterpret_cast<Result (*)(Arguments...)>(api.entries[position])(arguments...);
  }
};

using CreateStatus = Entry<0, Status*(ErrorCode, const char* message)>;
using GetErrorMessage = Entry<2, const char*(const Status*)>;
using CreateDomain = Entry<26, Status*(const char* name, Domain**)>;
using AddOpToDomain = Entry<27, Status*(Domain*, const struct CustomOp*)>;
using AddDomainToSession = Entry<28, Status*(SessionOptions*, Domain*)>;
using GetTensorData = Entry<51, Status*(Value*, void**)>;
using CreateTensorInfo = Entry<57, Status*(TensorInfo**)>;
using SetElementType = Entry<58, Status*(TensorInfo*, ElementType)>;
using SetDimensions = Entry<59, Status*(TensorInfo*, const int64_t*, size_t)>;
using GetElementType = Entry<60, Status*(const TensorInfo*, ElementType*)>;
using GetRank = Entry<61, Status*(const TensorInfo*, size_t*)>;
using GetDimensions = Entry<62, Status*(const TensorInfo*, int64_t*, size_t)>;
using GetDimensionNames = Entry<63, Status*(const TensorInfo*, const char** names, size_t)>;
using GetTensorInfo = Entry<65, Status*(const Value*, TensorInfo**)>;
using GetFloatAttribute = Entry<85, Status*(const KernelInfo*, const char* name, float*)>;
using GetIntAttribute = Entry<86, Status*(const KernelInfo*, const char* name, int64_t*)>;
using GetInputCount = Entry<88, Status*(const KernelContext*, size_t*)>;
using GetInput = Entry<90, Status*(const KernelContext*, size_t, const Value**)>;
using GetOutput = Entry<91, Status*(KernelContext*, size_t, const int64_t* shape, size_t rank, Value**)>;
using ReleaseStatus = Entry<93, void(Status*)>;
using ReleaseTensorInfo = Entry<99, void(TensorInfo*)>;
using GetGpuStream = Entry<193, Status*(const KernelContext*, void**)>;
using GetInputTypeShape = Entry<268, Status*(const ShapeContext*, size_t, TensorInfo**)>;
using SetOutputTypeShape = Entry<270, Status*(const ShapeContext*, size_t, const TensorInfo*)>;
using SetDimensionNames = Entry<271, Status*(TensorInfo*, const char** names, size_t)>;
using ParallelFor = Entry<274, Status*(const KernelContext*, void (*task)(void* data, size_t index), size_t n,
                                       size_t n_batches, void*)>;

// What a custom op is to the runtime: a table of callbacks. `version` 17 tells it which of them to read.
struct CustomOp {
  uint32_t version;
  void* (*create_kernel)(const CustomOp*, const Api*, const KernelInfo*);  // before V2; unused
  const char* (*get_name)(const CustomOp*);
  const char* (*get_provider)(const CustomOp*);
  ElementType (*get_input_type)(const CustomOp*, size_t);
  size_t (*get_input_count)(const CustomOp*);
  ElementType (*get_output_type)(const CustomOp*, size_t);
  size_t (*get_output_count)(const CustomOp*);
  void (*compute)(void*, KernelContext*);  // before V2; unused
  void (*destroy_kernel)(void*);
  Presence (*get_input_presence)(const CustomOp*, size_t);
  Presence (*get_output_presence)(const CustomOp*, size_t);
  MemoryType (*get_input_memory)(const CustomOp*, size_t);
  int (*get_variadic_input_min)(const CustomOp*);
  int (*get_variadic_input_homogeneous)(const CustomOp*);
  int (*get_variadic_output_min)(const CustomOp*);
  int (*get_variadic_output_homogeneous)(const CustomOp*);
  Status* (*create_kernel_v2)(const CustomOp*, const Api*, const KernelInfo*, void** kernel);
  Status* (*compute_v2)(void* kernel, KernelContext*);
  Status* (*infer_shape)(const CustomOp*, ShapeContext*);
  int (*get_start_version)(const CustomOp*);
  int (*get_end_version)(const CustomOp*);
  void* appended_later[8];  // zero, for a runtime that looks past its version's end
};

}  // namespace ort
