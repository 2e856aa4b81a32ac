#include "linear_launch.h"

#include <algorithm>
#include <atomic>

#include "scratch.h"

namespace routekit::cpu {
namespace {

// Blocks of rows are split by columns until there are this many tasks, but into no fewer panels than these: every part
// quantises its rows anew.
constexpr int64_t kTasks = 8, kLeastPanels = 16;

struct Work {
  const Linear& call;
  const LinearKernel& kernel;
  int64_t n_parts, part_panels;
  std::atomic<bool> out_of_memory{false};
};

void run_part(void* data, size_t index) noexcept {
  Work& work = *static_cast<Work*>(data);
  const Scratch scratch = allocate(work.kernel.scratch_bytes(work.call));
  if (!scratch) {
    work.out_of_memory = true;
    return;
  }
  const int64_t block = static_cast<int64_t>(index) / work.n_parts;
  const int64_t first = static_cast<int64_t>(index) % work.n_parts * work.part_panels;
  work.kernel.run(work.call, block * work.kernel.n_rows, first,
                  std::min(work.call.n_panels(), first + work.part_panels), scratch.get());
}

int64_t ratio_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

void launch(const Linear& call, const LinearKernels& kernels, const ParallelFor& parallel_for) {
  const LinearKernel& kernel = call.bits == 8 ? kernels.int8 : kernels.int16;
  const int64_t n_blocks = ratio_up(call.n_rows, kernel.n_rows), n_panels = call.n_panels();
  if (n_blocks == 0 || n_panels == 0) return;
  const int64_t wanted = std::min(ratio_up(kTasks, n_blocks), ratio_up(n_panels, kLeastPanels));
  const int64_t part_panels = ratio_up(n_panels, wanted), n_parts = ratio_up(n_panels, part_panels);
  Work work{call, kernel, n_parts, part_panels};
  parallel_for.run(parallel_for.context, run_part, &work, static_cast<size_t>(n_blocks * n_parts));
  if (work.out_of_memory) throw std::bad_alloc();
}

}  // namespace routekit::cpu
