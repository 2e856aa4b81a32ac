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
};

#ifdef ROUTEKIT_X86
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
}
#endif

// Fastest first.
constexpr InstructionSet kInstructionSets[] = {
#ifdef ROUTEKIT_X86
    {"avx512_bf16", [] { return has_avx512() && __builtin_cpu_supports("avx512bf16"); }, avx512_bf16_kernels},
    {"avx512", has_avx512, avx512_kernels},
    {"avx2", [] { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }, avx2_kernels},
#endif
    {"portable", [] { return true; }, portable_kernels},
};

}  // namespace

Kernels choose_kernels() {
  const char* wanted = std::getenv("ROUTEKIT_CK_FA_ISA");
  for (const InstructionSet& set : kInstructionSets)
    if ((!wanted || std::strcmp(wanted, set.name) == 0) && set.is_supported()) return set.kernels();
  std::string known;
  for (const InstructionSet& set : kInstructionSets)
    if (set.is_supported()) known += (known.empty() ? "" : ", ") + std::string(set.name);
  throw BadArgument("routekit.FlashAttention: ROUTEKIT_CK_FA_ISA is '" + std::string(wanted) +
                    "'; this machine and build run: " + known);
}

}  // namespace routekit::cpu
