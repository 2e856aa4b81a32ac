// Memory of one task, on the lines of the cache.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace routekit::cpu {

constexpr std::align_val_t kCacheLine{64};

struct Release {
  void operator()(void* memory) const { ::operator delete(memory, kCacheLine); }
};
using Scratch = std::unique_ptr<void, Release>;

// Null when there is none: no exception may reach a thread of the caller's pool.
inline Scratch allocate(size_t n_bytes) noexcept { return Scratch(::operator new(n_bytes, kCacheLine, std::nothrow)); }

}  // namespace routekit::cpu
