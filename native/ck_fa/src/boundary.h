// Where C++ meets the C boundary of ONNX Runtime: statuses become exceptions on the way in, exceptions become statuses
// on the way out, and every status is released exactly once.
#pragma once

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "checks.h"
#include "ort/abi.h"

namespace routekit {

// A call into the runtime failed; owns its status.
class RuntimeFailure {
 public:
  RuntimeFailure(const ort::Api& api, ort::Status* status) : api_(&api), status_(status) {}
  RuntimeFailure(RuntimeFailure&& other) noexcept : api_(other.api_), status_(other.release()) {}
  ~RuntimeFailure() {
    if (status_) ort::ReleaseStatus::call(*api_, status_);
  }
  const char* message() const { return ort::GetErrorMessage::call(*api_, status_); }
  ort::Status* release() { return std::exchange(status_, nullptr); }

 private:
  const ort::Api* api_;
  ort::Status* status_;
};

inline void check(const ort::Api& api, ort::Status* status) {
  if (status) throw RuntimeFailure(api, status);
}

// Run `body`, whose every exception becomes a status; `op` names it where the exception cannot.
template <class Body>
ort::Status* guarded(const ort::Api& api, const char* op, Body&& body) noexcept {
  const auto failed = [&](ort::ErrorCode code, const char* what) {
    char message[128];
    std::snprintf(message, sizeof message, "routekit.%s: %s", op, what);
    return ort::CreateStatus::call(api, code, message);
  };
  try {
    body();
    return nullptr;
  } catch (RuntimeFailure& failure) {
    return failure.release();
  } catch (const BadArgument& error) {
    return ort::CreateStatus::call(api, ort::kInvalidArgument, error.what());
  } catch (const std::bad_alloc&) {
    return failed(ort::kRuntimeException, "out of memory");
  } catch (const std::exception& error) {
    return ort::CreateStatus::call(api, ort::kRuntimeException, error.what());
  } catch (...) {
    return failed(ort::kRuntimeException, "unknown exception");
  }
}

}  // namespace routekit
