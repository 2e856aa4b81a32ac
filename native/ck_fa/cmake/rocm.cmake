# The ROCm device: compiled with a HIP compiler as CMAKE_CXX_COMPILER (hipcc or amdclang++), against the CK-tile headers
# in CK_INCLUDE_DIR. Nothing is downloaded.
set(CK_INCLUDE_DIR "" CACHE PATH "Include folder of Composable Kernel, the one that holds ck_tile/")
set(GPU_TARGETS "gfx90a;gfx942;gfx950" CACHE STRING "GPUs to compile for")
set(ROCM_PATH "/opt/rocm" CACHE PATH "Where ROCm is installed")

# CK-tile carries no version number; the API that ck_dispatch.cpp is written against is known by these marks.
function(check_ck_api file mark)
  set(header "${CK_INCLUDE_DIR}/ck_tile/ops/fmha/pipeline/${file}")
  if(NOT EXISTS "${header}")
    message(FATAL_ERROR
      "ROUTEKIT_CK: no ${header}. Set CK_INCLUDE_DIR to the include folder of Composable Kernel.")
  endif()
  file(STRINGS "${header}" found REGEX "${mark}" LIMIT_COUNT 1)
  if(NOT found)
    message(FATAL_ERROR "ROUTEKIT_CK: the CK-tile in ${CK_INCLUDE_DIR} has an unknown FMHA API (no ${mark} in ${file}). "
      "Known is that of autumn 2025; src/rocm/ck_dispatch.cpp is the one file to adapt.")
  endif()
endfunction()
check_ck_api(block_fmha_pipeline_problem.hpp kUseTrLoad_)
check_ck_api(tile_fmha_traits.hpp kSkipMinSeqlenQ_)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "ROUTEKIT_CK needs a HIP compiler, found ${CMAKE_CXX_COMPILER_ID}. "
    "Set CMAKE_CXX_COMPILER to hipcc or ${ROCM_PATH}/llvm/bin/amdclang++.")
endif()
find_library(HIP_RUNTIME amdhip64 HINTS "${ROCM_PATH}/lib" REQUIRED)

add_library(ck_fa_rocm OBJECT src/rocm/device.cpp src/rocm/ck_dispatch.cpp)
target_include_directories(ck_fa_rocm PRIVATE include src)
list(TRANSFORM GPU_TARGETS PREPEND "--offload-arch=" OUTPUT_VARIABLE offload)
set_source_files_properties(src/rocm/ck_dispatch.cpp PROPERTIES
  INCLUDE_DIRECTORIES "${CK_INCLUDE_DIR}"
  COMPILE_OPTIONS "-x;hip;${offload};-fgpu-flush-denormals-to-zero")
target_link_libraries(ck_fa_rocm INTERFACE "${HIP_RUNTIME}")
