// The only file that knows CK-tile: picks a kernel, fills its arguments, launches it.
//
// CK-tile's API moves between releases and carries no version number. This file is written against the FMHA API whose
// pipeline problem has kUseTrLoad and whose traits have kSkipMinSeqlenQ (Composable Kernel of autumn 2025);
// ../../cmake/ck_api.cmake looks for both before anything is compiled.
#ifndef CK_TILE_FMHA_FWD_FAST_EXP2
#define CK_TILE_FMHA_FWD_FAST_EXP2 1
#endif
#if !__has_include("ck_tile/ops/fmha.hpp")
#error "CK_INCLUDE_DIR holds no ck_tile/ops/fmha.hpp: point it at the include folder of Composable Kernel"
#endif

#include <hip/hip_runtime.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/epilogue.hpp"
#include "ck_tile/ops/fmha.hpp"
#include "dispatch.h"

namespace routekit::rocm {
namespace {

using ck_tile::BlockAttentionBiasEnum;
using ck_tile::index_t;
using ck_tile::sequence;
using Half = ck_tile::half_t;

void check_hip(hipError_t error, const char* what) {
  if (error != hipSuccess)
    throw std::runtime_error(std::string("routekit.FlashAttention on ROCm: ") + what + " failed with HIP error " +
                             std::to_string(static_cast<int>(error)) + ": " + hipGetErrorString(error));
}

// Tile sizes, four wavefronts to a block of 128 queries: queries, keys, step over head_dim, head_dim, step over keys,
// head_dim. The matrix instruction is 32 x 32 with a depth of 16.
template <int head_dim>
struct Tile;
template <>
struct Tile<32> : sequence<128, 64, 16, 32, 32, 32> {};
template <>
struct Tile<64> : sequence<128, 64, 32, 64, 32, 64> {};
template <>
struct Tile<128> : sequence<128, 128, 32, 128, 32, 128> {};

// The kernel for one head_dim. With a bias the mask is on even when the window is open: only then does CK-tile guard
// the division of a row that sees no key.
template <int head_dim, bool is_masked, bool has_bias>
struct Kernel {
  static_assert(is_masked || !has_bias);
  static constexpr bool kRowMajorV = true;
  using Wavefronts = sequence<4, 1, 1>;
  using Instruction = sequence<32, 32, 16>;
  using Sizes = typename Tile<head_dim>::type;
  using Shape = ck_tile::TileFmhaShape<Sizes, Wavefronts, Instruction, Wavefronts, Instruction, kRowMajorV>;

  // Blocks per compute unit; -1 leaves it to CK-tile, whose two for 128 make the compiler spill.
  static constexpr int kOccupancy = head_dim == 128 ? 1 : -1;
  // Any length is allowed, so both are padded; head_dim fits, but the asynchronous pipeline wants it declared padded.
  static constexpr bool kPadHeadDim = !has_bias;
  static constexpr auto kBias = has_bias ? BlockAttentionBiasEnum::ELEMENTWISE_BIAS : BlockAttentionBiasEnum::NO_BIAS;
  using Traits = ck_tile::TileFmhaTraits</*pad queries*/ true, /*pad keys*/ true, kPadHeadDim, kPadHeadDim,
                                         /*soft cap*/ false, kBias, /*bias gradient*/ false, /*store LSE*/ false,
                                         /*dropout*/ false, /*FP8 quantisation*/ false, kOccupancy,
                                         /*skip short*/ false>;
  using Mask = ck_tile::GenericAttentionMask<is_masked, /*IsLocal*/ true>;
  using Variant = ck_tile::ComposedAttention<0, CK_TILE_FMHA_FWD_FAST_EXP2>;
  using Problem =
      ck_tile::BlockFmhaPipelineProblem<Half, Half, Half, float, float, Half, uint8_t, float, Half, float, Half, Shape,
                                        /*group mode*/ false, Variant, Mask, /*TrLoad*/ false, Traits>;
  using Pipeline = std::conditional_t<has_bias, ck_tile::BlockFmhaPipelineQRKSVS<Problem>,
                                      ck_tile::BlockFmhaPipelineQRKSVSAsync<Problem>>;
  using Epilogue = ck_tile::Default2DEpilogue<ck_tile::Default2DEpilogueProblem<float, Half, true, kPadHeadDim>>;
  using type = ck_tile::FmhaFwdKernel<Pipeline, Epilogue>;
};

index_t narrow(int64_t value) { return static_cast<index_t>(value); }  // check_rocm has seen it fit

template <class K>
auto arguments(const Attention& call, const Operands& data) {
  constexpr auto kTopLeft = static_cast<index_t>(ck_tile::GenericAttentionMaskEnum::MASK_FROM_TOP_LEFT);
  const std::tuple<uint64_t, uint64_t> no_dropout_seed{0, 0};
  const auto& [q, k, v, bias, out] = std::tie(call.q, call.k, call.v, call.bias, call.out);
  // clang-format off
  return K::MakeKargs(
      data.q, data.k, data.v, data.bias, /*random*/ nullptr, /*lse*/ nullptr, data.out,
      narrow(call.n_queries), narrow(call.n_keys), narrow(call.head_dim), narrow(call.head_dim),
      narrow(call.n_heads), /*query heads per key head*/ 1,
      call.scale, /*scale_p*/ 1.0f, /*scale_o*/ 1.0f, /*soft cap*/ 0.0f,
      /*row strides*/ narrow(q.row), narrow(k.row), narrow(v.row), narrow(bias.row), /*random*/ 0, narrow(out.row),
      /*head strides*/ narrow(q.head), narrow(k.head), narrow(v.head), narrow(bias.head), /*random, lse*/ 0, 0,
      narrow(out.head),
      /*batch strides*/ narrow(q.batch), narrow(k.batch), narrow(v.batch), narrow(bias.batch), /*random, lse*/ 0, 0,
      narrow(out.batch),
      narrow(call.window_left), narrow(call.window_right), kTopLeft,
      /*dropout*/ 0.0f, /*store random*/ false, no_dropout_seed);
  // clang-format on
}

template <int head_dim, bool is_masked, bool has_bias>
void launch(const Attention& call, const Operands& data, hipStream_t stream) {
  using K = typename Kernel<head_dim, is_masked, has_bias>::type;
  const auto kernel_arguments = arguments<K>(call, data);
  const dim3 grid =
      K::GridSize(narrow(call.n_batch), narrow(call.n_heads), narrow(call.n_queries), narrow(call.head_dim));
  // K::BlockSize() would ask the driver for the device's properties at every launch; all targets have wavefronts of 64.
  const dim3 block(K::kBlockSize);
  const auto queue = ck_tile::make_kernel<K::kBlockPerCu>(K{}, grid, block, 0, kernel_arguments);
  queue(ck_tile::stream_config{stream});
  check_hip(hipGetLastError(), "the launch");
}

template <int head_dim>
void launch(const Attention& call, const Operands& data, hipStream_t stream) {
  if (call.has_bias) return launch<head_dim, true, true>(call, data, stream);
  const bool is_open = call.window_left < 0 && call.window_right < 0;
  return is_open ? launch<head_dim, false, false>(call, data, stream)
                 : launch<head_dim, true, false>(call, data, stream);
}

}  // namespace

void dispatch(const Attention& call, const Operands& data, void* stream) {
  const hipStream_t queue = static_cast<hipStream_t>(stream);
  if (call.n_keys == 0) {
    const int64_t n_bytes = call.n_batch * call.out.batch * static_cast<int64_t>(sizeof(Half));
    return check_hip(hipMemsetAsync(data.out, 0, static_cast<size_t>(n_bytes), queue), "hipMemsetAsync");
  }
  if (call.head_dim == 32) return launch<32>(call, data, queue);
  if (call.head_dim == 64) return launch<64>(call, data, queue);
  return launch<128>(call, data, queue);
}

}  // namespace routekit::rocm
