// The compiled host half of CK-tile's launch, against a HIP runtime that records instead of launching. Built by
// compile_ck.py --fake-hip, since it needs the headers of HIP and CK-tile.
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

#include "checks.h"
#include "expect.h"
#include "rocm/dispatch.h"

namespace {

struct Extent {
  uint32_t x, y, z;
};

// What CK-tile's arguments of every kernel begin with.
struct CommonArguments {
  const void *q, *k, *v;
  void* out;
  int32_t n_queries, n_keys, head_dim_q, head_dim_v, n_heads, head_ratio;
  float scale_log2e;
  int32_t q_row, k_row, v_row, out_row, q_head, k_head, v_head, out_head;
};

struct Launch {
  std::string kernel;
  Extent grid, block;
  void* stream;
  CommonArguments arguments;
  unsigned char rest[64];
  int n_launches;
};

Launch last{};
Extent pushed_grid, pushed_block;
void* pushed_stream;
std::map<const void*, std::string> names;
int next_error = 0, pending_error = 0;
size_t n_zeroed = 0;

}  // namespace

extern "C" {

char __hip_fatbin[8], __hip_fatbin_wrapper_dummy[8];

void** __hipRegisterFatBinary(const void*) {
  static void* handle;
  return &handle;
}
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void**, const void* stub, char*, const char* name, unsigned, void*, void*, void*, void*,
                           int*) {
  names[stub] = name;
}
void __hipRegisterVar(void**, void*, char*, const char*, int, size_t, int, int) {}
int __hipPushCallConfiguration(Extent grid, Extent block, size_t, void* stream) {
  pushed_grid = grid, pushed_block = block, pushed_stream = stream;
  return 0;
}
int __hipPopCallConfiguration(Extent* grid, Extent* block, size_t* shared, void** stream) {
  *grid = pushed_grid, *block = pushed_block, *shared = 0, *stream = pushed_stream;
  return 0;
}
int hipLaunchKernel(const void* stub, Extent grid, Extent block, void** arguments, size_t, void* stream) {
  last.kernel = names[stub];
  last.grid = grid, last.block = block, last.stream = stream;
  std::memcpy(&last.arguments, arguments[0], sizeof last.arguments);
  std::memcpy(last.rest, static_cast<const unsigned char*>(arguments[0]) + sizeof last.arguments, sizeof last.rest);
  ++last.n_launches;
  return pending_error = next_error;
}
int hipGetLastError() {
  const int error = pending_error;
  pending_error = 0;
  return error;
}
int hipPeekAtLastError() { return pending_error; }
const char* hipGetErrorString(int) { return "a fake error"; }
int hipMemsetAsync(void*, int, size_t n_bytes, void*) {
  n_zeroed = n_bytes;
  return 0;
}
int hipGetDevice(int* device) { return *device = 0; }
int hipGetDevicePropertiesR0600(void*, int) { return 1; }

}  // extern "C"

namespace {

using namespace routekit;

void* const kStream = reinterpret_cast<void*>(0x77);

Attention call_of(int64_t head_dim, int64_t window, const Shape* bias, int64_t n_keys = 300) {
  const Shape q{2, 3, 257, head_dim}, k{2, 3, n_keys, head_dim};
  return check_attention({0, window, window, false}, q, k, k, bias);
}

Operands operands() {
  static char memory[5];
  return {memory, memory + 1, memory + 2, memory + 3, memory + 4};
}

bool kernel_has(const char* part) { return last.kernel.find(part) != std::string::npos; }

void test_launch_carries_grid_sizes_strides_and_stream() {
  for (int64_t head_dim : {32, 64, 128}) {
    rocm::dispatch(call_of(head_dim, -1, nullptr), operands(), kStream);
    const CommonArguments& a = last.arguments;
    EXPECT(last.grid.x == 3 && last.grid.y == 3 && last.grid.z == 2, "%u %u %u", last.grid.x, last.grid.y, last.grid.z);
    EXPECT(last.block.x == 256 && last.stream == kStream, "%u", last.block.x);
    EXPECT(a.q == operands().q && a.k == operands().k && a.v == operands().v && a.out == operands().out, "pointers");
    EXPECT(a.n_queries == 257 && a.n_keys == 300 && a.head_dim_q == head_dim && a.head_dim_v == head_dim, "sizes");
    EXPECT(a.n_heads == 3 && a.head_ratio == 1, "heads");
    EXPECT(a.q_row == head_dim && a.k_row == head_dim && a.v_row == head_dim && a.out_row == head_dim, "rows");
    EXPECT(a.q_head == 257 * head_dim && a.k_head == 300 * head_dim && a.v_head == a.k_head && a.out_head == a.q_head,
           "heads");
    EXPECT(kernel_has("GenericAttentionMaskILb0"), "%s", last.kernel.c_str());
  }
}

// In a masked kernel the windows follow the common arguments, in a kernel with a bias its pointer and strides come
// first.
void test_window_follows() {
  rocm::dispatch(call_of(64, 20, nullptr), operands(), kStream);
  int32_t windows[2];
  std::memcpy(windows, last.rest, sizeof windows);
  EXPECT(windows[0] == 20 && windows[1] == 20, "%d %d", windows[0], windows[1]);
  EXPECT(kernel_has("GenericAttentionMaskILb1"), "%s", last.kernel.c_str());
}

void test_bias_broadcasts_and_turns_the_mask_on() {
  const Shape bias{2, 1, 1, 300};
  rocm::dispatch(call_of(64, -1, &bias), operands(), kStream);
  struct {
    const void* pointer;
    int32_t row, head, batch;
  } packed;
  size_t offset = (alignof(void*) - sizeof(CommonArguments) % alignof(void*)) % alignof(void*);
  std::memcpy(&packed, last.rest + offset, sizeof packed);
  EXPECT(packed.pointer == operands().bias, "pointer");
  EXPECT(packed.row == 0 && packed.head == 0 && packed.batch == 300, "%d %d %d", packed.row, packed.head, packed.batch);
  EXPECT(kernel_has("GenericAttentionMaskILb1"), "%s", last.kernel.c_str());
}

void test_launch_error_becomes_an_exception_with_its_code() {
  next_error = 719;
  std::string message;
  try {
    rocm::dispatch(call_of(64, -1, nullptr), operands(), kStream);
  } catch (const std::exception& error) {
    message = error.what();
  }
  next_error = 0;
  EXPECT(message.find("HIP error 719: a fake error") != std::string::npos, "'%s'", message.c_str());
}

void test_no_keys_zero_the_output_without_a_launch() {
  const int before = last.n_launches;
  rocm::dispatch(call_of(64, -1, nullptr, 0), operands(), kStream);
  EXPECT(last.n_launches == before && n_zeroed == 2 * 3 * 257 * 64 * 2, "%zu", n_zeroed);
}

}  // namespace

int main() {
  test_launch_carries_grid_sizes_strides_and_stream();
  test_window_follows();
  test_bias_broadcasts_and_turns_the_mask_on();
  test_launch_error_becomes_an_exception_with_its_code();
  test_no_keys_zero_the_output_without_a_launch();
  std::printf("fake HIP: %d launches, %d failures\n", last.n_launches, n_failures);
  return n_failures;
}
