#include "instruction_sets.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "checks.h"

namespace routekit::cpu {
namespace {

struct InstructionSet {
  const char* name;
  bool (*is_supported)();
  Kernels (*kernels)();
  LinearKernels (*linear_kernels)();
  LayerKernels (*layer_kernels)();
  bool has_byte_products;
};

#ifdef ROUTEKIT_X86
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}
bool has_vnni() { return has_avx512() && __builtin_cpu_supports("avx512vnni"); }
bool has_bf16() { return has_vnni() && __builtin_cpu_supports("avx512bf16"); }
#endif

// Fastest first.
constexpr InstructionSet kInstructionSets[] = {
#ifdef ROUTEKIT_X86
    {"avx512_bf16", has_bf16, avx512_bf16_kernels, avx512_vnni_linear_kernels, avx512_vnni_layer_kernels, true},
    {"avx512_vnni", has_vnni, avx512_kernels, avx512_vnni_linear_kernels, avx512_vnni_layer_kernels, true},
    {"avx512", has_avx512, avx512_kernels, avx512_linear_kernels, avx512_layer_kernels, false},
    {"avx2", has_avx2, avx2_kernels, avx2_linear_kernels, avx2_layer_kernels, false},
#endif
    {"portable", [] { return true; }, portable_kernels, portable_linear_kernels, portable_layer_kernels, false},
};

const char* wanted_name() { return std::getenv("ROUTEKIT_CK_FA_ISA"); }

const InstructionSet& choose() {
  const char* wanted = wanted_name();
  for (const InstructionSet& set : kInstructionSets)
    if ((!wanted || std::strcmp(wanted, set.name) == 0) && set.is_supported()) return set;
  std::string known;
  for (const InstructionSet& set : kInstructionSets)
    if (set.is_supported()) known += (known.empty() ? "" : ", ") + std::string(set.name);
  throw BadArgument("routekit.FlashAttention: ROUTEKIT_CK_FA_ISA is '" + std::string(wanted) +
                    "'; this machine and build run: " + known);
}

}  // namespace

Kernels choose_kernels() { return choose().kernels(); }
LinearKernels choose_linear_kernels() { return choose().linear_kernels(); }

LayerKernels choose_layer_kernels() {
  const InstructionSet& set = choose();
  if (!set.has_byte_products && !wanted_name())
    throw BadArgument("this processor has no dot products of bytes (AVX512-VNNI), which layers of encoders need");
  return set.layer_kernels();
}

}  // namespace routekit::cpu
