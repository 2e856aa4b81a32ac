// What the kernels of an encoder's input and layers are, and how they are run over a whole call.
#pragma once

#include "encoder_input.h"
#include "launch.h"
#include "layer.h"

namespace routekit::cpu {

// Works through consecutive tokens, whatever sequence they belong to, using its scratch and nothing else.
struct LayerKernels {
  int64_t n_rows;  // tokens at a time
  void (*read)(const EncoderInput&, int64_t first_row, int64_t n_rows);
  size_t (*scratch_bytes)(const Layer&);
  // qkv [n_rows, 3 * hidden], from the tokens [first_row, first_row + n_rows) of x.
  void (*project)(const Layer&, int64_t first_row, int64_t n_rows, float* qkv, void* scratch);
  // y, from x and what attention gave: `context` points at the first of these tokens, its rows as far apart as in qkv.
  void (*finish)(const Layer&, int64_t first_row, int64_t n_rows, const float* context, void* scratch);
  BlockKernel attention;
};

// Throws std::bad_alloc when there is no scratch; the output is unspecified then.
void launch(const EncoderInput& input, const LayerKernels& kernels, const ParallelFor& parallel_for);
void launch(const Layer& layer, const LayerKernels& kernels, const ParallelFor& parallel_for);

}  // namespace routekit::cpu
