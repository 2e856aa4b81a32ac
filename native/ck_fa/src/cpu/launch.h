// What a CPU kernel is, and how one is run over a whole call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "attention.h"

namespace routekit::cpu {

// Computes one block of consecutive queries of one head, using its scratch and nothing else.
struct BlockKernel {
  int64_t n_queries;  // per block
  size_t (*scratch_bytes)(int64_t head_dim);
  void (*run)(const Attention&, const Operands&, int64_t batch, int64_t head, int64_t first_query, void* scratch);
};

// The kernels that one instruction set compiles to; those for bfloat16 are empty where it has no products of them.
struct Kernels {
  BlockKernel dense, windowed, dense_bf16, windowed_bf16;

  const BlockKernel& choose(const Attention& call) const;
};

// Runs task(data, 0 ... n - 1), in any order, on any threads, and returns when all are done.
struct ParallelFor {
  void (*run)(void* context, void (*task)(void* data, size_t index), void* data, size_t n);
  void* context;
};

// Throws std::bad_alloc when a thread finds no scratch; the output is unspecified then.
void launch(const Attention& call, const Operands& operands, const BlockKernel& kernel,
            const ParallelFor& parallel_for);

}  // namespace routekit::cpu
