// The library's only export: puts the ops, for every device, into the domain "routekit" of a session.
#include <list>
#include <mutex>
#include <string>

#include "boundary.h"
#include "op.h"

namespace routekit {
namespace {

constexpr const char* kDomain = "routekit";

// A runtime keeps raw pointers to domain and ops in all its sessions, for as long as it likes: they are never freed.
// So each runtime in the process gets one, however many sessions register. (Two runtimes: two wheels side by side.)
struct Registration {
  const ort::Api& api;
  std::list<Op> ops;
  ort::Domain* domain = nullptr;

  explicit Registration(const ort::Api& runtime) : api(runtime) {
    check(api, ort::CreateDomain::call(api, kDomain, &domain));
    for (const Op& op : all_ops(api)) {
      ops.push_back(op);
      check(api, ort::AddOpToDomain::call(api, domain, &ops.back().callbacks));
    }
  }
};

Registration& registration_in(const ort::Api& api) {
  static std::mutex mutex;
  static auto* const known = new std::list<Registration>;
  const std::lock_guard<std::mutex> lock(mutex);
  for (Registration& registration : *known)
    if (&registration.api == &api) return registration;
  return known->emplace_back(api);
}

// Version 1 of the table exists in every runtime, and creating a status is its first entry.
ort::Status* too_old(const ort::ApiBase& base) {
  const std::string message = "routekit's ops need onnxruntime 1.17 or newer; this is " +
                              std::string(base.get_version()) + ". Remedy: pip install 'onnxruntime>=1.17'";
  return ort::CreateStatus::call(*base.get_api(1), ort::kNotImplemented, message.c_str());
}

}  // namespace
}  // namespace routekit

extern "C" __attribute__((visibility("default"))) ort::Status* RegisterCustomOps(ort::SessionOptions* options,
                                                                                 const ort::ApiBase* base) {
  using namespace routekit;
  const ort::Api* api = base->get_api(ort::kApiVersion);
  if (!api) return too_old(*base);
  return guarded(*api, "RegisterCustomOps", [&] {
    check(*api, ort::AddDomainToSession::call(*api, options, registration_in(*api).domain));
  });
}
