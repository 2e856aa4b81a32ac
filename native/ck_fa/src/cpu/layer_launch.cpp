#include "layer_launch.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "scratch.h"

namespace routekit::cpu {
namespace {

// Sequences are taken together up to this many tokens: what they are projected to should stay in a near cache.
constexpr int64_t kGroupTokens = 128;

int64_t ratio_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

struct Work {
  const Layer& layer;
  const LayerKernels& kernels;
  int64_t first_row, n_rows;
  float* qkv;  // [n_rows, 3 * hidden]
  std::atomic<bool> out_of_memory{false};
};

// Runs on a thread of the caller's pool, which no exception may reach.
template <class Step>
void run_block(Work& work, size_t index, Step step) noexcept {
  const Scratch scratch = allocate(work.kernels.scratch_bytes(work.layer));
  if (!scratch) {
    work.out_of_memory = true;
    return;
  }
  const int64_t row = static_cast<int64_t>(index) * work.kernels.n_rows;
  step(work.first_row + row, std::min(work.kernels.n_rows, work.n_rows - row), work.qkv + row * 3 * work.layer.hidden,
       scratch.get());
}

void project_block(void* data, size_t index) noexcept {
  Work& work = *static_cast<Work*>(data);
  run_block(work, index, [&](int64_t row, int64_t n, float* qkv, void* scratch) {
    work.kernels.project(work.layer, row, n, qkv, scratch);
  });
}

void finish_block(void* data, size_t index) noexcept {
  Work& work = *static_cast<Work*>(data);
  run_block(work, index, [&](int64_t row, int64_t n, float* qkv, void* scratch) {
    work.kernels.finish(work.layer, row, n, qkv, scratch);
  });
}

// Says of one sequence, in `bias`, which keys are hidden. Where all are, all weigh alike: queries of zeros see to that.
bool hide(const Layer& layer, int64_t sequence, float* bias, float* qkv) {
  const int64_t* mask = layer.mask + sequence * layer.n_tokens;
  bool any = false, all = true;
  for (int64_t j = 0; j < layer.n_tokens; ++j) any |= mask[j] != 0, all &= mask[j] != 0;
  for (int64_t j = 0; j < layer.n_tokens; ++j) bias[j] = mask[j] != 0 || !any ? 0.0f : -INFINITY;
  for (int64_t i = 0; !any && i < layer.n_tokens; ++i)
    std::memset(qkv + i * 3 * layer.hidden, 0, static_cast<size_t>(layer.hidden) * sizeof(float));
  return any && !all;
}

// Attention among the tokens of each of n sequences; what comes of a query takes its place in qkv.
void attend(const Layer& layer, const LayerKernels& kernels, int64_t first, int64_t n, float* qkv, float* bias,
            const ParallelFor& parallel_for) {
  Attention call{};
  call.n_batch = n, call.n_heads = layer.n_heads, call.head_dim = layer.hidden / layer.n_heads;
  call.n_queries = call.n_keys = layer.n_tokens;
  call.q = call.k = call.v = call.out = {layer.n_tokens * 3 * layer.hidden, call.head_dim, 3 * layer.hidden};
  call.bias = {layer.n_tokens, 0, 0};
  call.scale = 1.0f / std::sqrt(static_cast<float>(call.head_dim));
  call.window_left = call.window_right = -1;
  for (int64_t s = 0; s < n; ++s)
    call.has_bias |= hide(layer, first + s, bias + s * layer.n_tokens, qkv + s * call.q.batch);
  const Operands operands{qkv, qkv + layer.hidden, qkv + 2 * layer.hidden, bias, qkv};
  launch(call, operands, kernels.attention, parallel_for);
}

struct Reading {
  const EncoderInput& input;
  const LayerKernels& kernels;
};

void read_block(void* data, size_t index) noexcept {
  const auto& [input, kernels] = *static_cast<const Reading*>(data);
  const int64_t row = static_cast<int64_t>(index) * kernels.n_rows;
  kernels.read(input, row, std::min(kernels.n_rows, input.n_batch * input.n_tokens - row));
}

}  // namespace

void launch(const EncoderInput& input, const LayerKernels& kernels, const ParallelFor& parallel_for) {
  Reading reading{input, kernels};
  const int64_t n_blocks = ratio_up(input.n_batch * input.n_tokens, kernels.n_rows);
  if (n_blocks > 0) parallel_for.run(parallel_for.context, read_block, &reading, static_cast<size_t>(n_blocks));
}

void launch(const Layer& layer, const LayerKernels& kernels, const ParallelFor& parallel_for) {
  if (layer.n_batch == 0 || layer.n_tokens == 0) return;
  const int64_t n_together = std::min(layer.n_batch, std::max<int64_t>(1, kGroupTokens / layer.n_tokens));
  const int64_t n_rows = n_together * layer.n_tokens;
  const Scratch scratch = allocate(static_cast<size_t>(n_rows * (3 * layer.hidden + 1)) * sizeof(float));
  if (!scratch) throw std::bad_alloc();
  float* qkv = static_cast<float*>(scratch.get());
  for (int64_t first = 0; first < layer.n_batch; first += n_together) {
    const int64_t n = std::min(n_together, layer.n_batch - first);
    Work work{layer, kernels, first * layer.n_tokens, n * layer.n_tokens, qkv};
    const size_t n_blocks = static_cast<size_t>(ratio_up(work.n_rows, kernels.n_rows));
    parallel_for.run(parallel_for.context, project_block, &work, n_blocks);
    attend(layer, kernels, first, n, qkv, qkv + n_rows * 3 * layer.hidden, parallel_for);
    parallel_for.run(parallel_for.context, finish_block, &work, n_blocks);
    if (work.out_of_memory) throw std::bad_alloc();
  }
}

}  // namespace routekit::cpu
