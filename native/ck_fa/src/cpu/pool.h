// The runtime's own thread pool, for the length of one call.
#pragma once

#include "boundary.h"
#include "launch.h"

namespace routekit::cpu {

struct Pool {
  const ort::Api& api;
  ort::KernelContext* context;

  ParallelFor parallel_for() { return {run, this}; }

 private:
  static void run(void* self, void (*task)(void*, size_t), void* data, size_t n) {
    const Pool& pool = *static_cast<const Pool*>(self);
    constexpr size_t kRuntimeDecides = 0;
    check(pool.api, ort::ParallelFor::call(pool.api, pool.context, task, n, kRuntimeDecides, data));
  }
};

}  // namespace routekit::cpu
