// What a kernel of linear layers is, and how one is run over a whole call.
#pragma once

#include "launch.h"
#include "linear.h"

namespace routekit::cpu {

// Computes one block of consecutive rows for the panels [first_panel, end_panel), using its scratch and nothing else.
struct LinearKernel {
  int64_t n_rows;  // per block
  size_t (*scratch_bytes)(const Linear&);
  void (*run)(const Linear&, int64_t first_row, int64_t first_panel, int64_t end_panel, void* scratch);
};

struct LinearKernels {
  LinearKernel int8, int16;
};

// Throws std::bad_alloc when a thread finds no scratch; the output is unspecified then.
void launch(const Linear& call, const LinearKernels& kernels, const ParallelFor& parallel_for);

}  // namespace routekit::cpu
