#include "launch.h"

#include <atomic>

#include "scratch.h"

namespace routekit::cpu {
namespace {

struct Work {
  const Attention& call;
  const Operands& operands;
  const BlockKernel& kernel;
  int64_t n_blocks;  // per head
  std::atomic<bool> out_of_memory{false};
};

// Runs on a thread of the caller's pool, which no exception may reach.
void run_block(void* data, size_t index) noexcept {
  Work& work = *static_cast<Work*>(data);
  const Scratch scratch = allocate(work.kernel.scratch_bytes(work.call.head_dim));
  if (!scratch) {
    work.out_of_memory = true;
    return;
  }
  const int64_t block = static_cast<int64_t>(index) % work.n_blocks;
  const int64_t sequence = static_cast<int64_t>(index) / work.n_blocks;
  work.kernel.run(work.call, work.operands, sequence / work.call.n_heads, sequence % work.call.n_heads,
                  block * work.kernel.n_queries, scratch.get());
}

}  // namespace

const BlockKernel& Kernels::choose(const Attention& call) const {
  const bool is_windowed = call.window_left >= 0 && call.window_right >= 0;
  if (call.allow_bf16 && dense_bf16.run) return is_windowed ? windowed_bf16 : dense_bf16;
  return is_windowed ? windowed : dense;
}

void launch(const Attention& call, const Operands& operands, const BlockKernel& kernel,
            const ParallelFor& parallel_for) {
  const int64_t n_blocks = (call.n_queries + kernel.n_queries - 1) / kernel.n_queries;
  const int64_t n_tasks = call.head_dim > 0 ? call.n_batch * call.n_heads * n_blocks : 0;
  if (n_tasks == 0) return;
  Work work{call, operands, kernel, n_blocks};
  parallel_for.run(parallel_for.context, run_block, &work, static_cast<size_t>(n_tasks));
  if (work.out_of_memory) throw std::bad_alloc();
}

}  // namespace routekit::cpu
