#include <tg/analysis/occupancy.hpp>

#include <doctest/doctest.h>

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#endif

using namespace tg::analysis;

namespace {

constexpr multiprocessor hopper = find_device("H100")->multiprocessor;
constexpr multiprocessor ada = find_device("L40S")->multiprocessor;

}  // namespace

static_assert(find_occupancy(hopper, {256, 32, 0}).blocks == 8 && find_occupancy(hopper, {256, 32, 0}).fraction() == 1);
static_assert(find_occupancy(hopper, {256, 32, 0}).limiter == limiter::threads);
static_assert(find_occupancy(hopper, {256, 33, 0}).by_registers == 6);  // 40 registers each: 12 warps of each partition
static_assert(find_occupancy(hopper, {256, 33, 0}).limiter == limiter::registers);
static_assert(find_occupancy(hopper, {32, 16, 0}).limiter == limiter::blocks);
static_assert(find_occupancy(hopper, {128, 32, 75 * 1024}).by_shared_memory == 3);  // 76 KB each, of 228
static_assert(find_occupancy(hopper, {128, 32, 75 * 1024 + 1}).blocks == 2);
static_assert(find_occupancy(hopper, {128, 32, 75 * 1024}).limiter == limiter::shared_memory);
static_assert(find_occupancy(hopper, {128, 32, 228 * 1024}).limiter == limiter::impossible);
static_assert(find_occupancy(hopper, {1024, 65, 0}).limiter == limiter::impossible);
static_assert(find_occupancy(ada, {1024, 32, 0}).fraction() == 32.0 / 48);
static_assert(registers_for(hopper, 256, 2) == 128 && registers_for(hopper, 256, 1) == 255 && registers_for(hopper, 1024, 3) == 0);

#if __has_include(<cuda_occupancy.h>)
namespace {

int toolkit_blocks(const device_figures& d, const block_demand& b) {
  cudaOccDeviceProp part{};
  part.computeMajor = d.sm / 10;
  part.computeMinor = d.sm % 10;
  part.maxThreadsPerBlock = max_block_threads;
  part.maxThreadsPerMultiprocessor = d.multiprocessor.threads;
  part.regsPerBlock = part.regsPerMultiprocessor = d.multiprocessor.registers;
  part.warpSize = 32;
  part.sharedMemPerBlock = 48 * 1024;
  part.sharedMemPerMultiprocessor = static_cast<std::size_t>(d.multiprocessor.shared_bytes);
  part.sharedMemPerBlockOptin = static_cast<std::size_t>(d.multiprocessor.shared_opt_in_bytes);
  part.reservedSharedMemPerBlock = 1024;
  part.numSms = d.multiprocessors;
  cudaOccFuncAttributes kernel{};
  kernel.maxThreadsPerBlock = max_block_threads;
  kernel.numRegs = b.registers;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = INT_MAX;
  cudaOccDeviceState state{};
  state.carveoutConfig = 100;  // percent
  cudaOccResult found{};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &part, &kernel, &state, b.threads,
                                              static_cast<std::size_t>(b.shared_bytes)) != CUDA_OCC_SUCCESS)
    return -1;
  return found.activeBlocksPerMultiprocessor;
}

}  // namespace

TEST_CASE("occupancy is what the toolkit says") {
  int compared = 0;
  for (const device_figures& d : device_table)
    for (const int threads : {1, 32, 33, 64, 96, 128, 160, 224, 256, 288, 384, 512, 640, 768, 1000, 1024})
      for (const int registers : {1, 8, 9, 16, 24, 32, 33, 40, 48, 64, 65, 72, 80, 96, 128, 129, 168, 200, 255})
        for (const std::int64_t shared : {0, 1, 1024, 8192, 16384, 33333, 49152, 65536, 99 * 1024, 101376, 131072, 166912, 232448}) {
          const block_demand b{threads, registers, shared};
          const int ours = find_occupancy(d.multiprocessor, b).blocks, theirs = toolkit_blocks(d, b);
          ++compared;
          if (ours == theirs) continue;
          CAPTURE(d.name);
          CAPTURE(threads);
          CAPTURE(registers);
          CAPTURE(shared);
          REQUIRE(ours == theirs);
        }
  CHECK(compared == 7 * 16 * 19 * 13);
}
#endif

TEST_CASE("the fewest blocks of any limit are the occupancy") {
  const occupancy o = find_occupancy(hopper, {192, 100, 40000});
  CHECK(o.by_threads == 10);
  CHECK(o.by_registers == 2);  // 104 registers each: 4 warps of each partition
  CHECK(o.by_shared_memory == 5);
  CHECK(o.blocks == 2);
  CHECK(o.warps == 12);
  for (int threads = 32; threads <= 1024; threads += 32)
    for (int blocks = 1; blocks <= 2; ++blocks) {
      const int r = registers_for(hopper, threads, blocks);
      if (r == 0 || r == max_thread_registers) continue;
      CHECK(find_occupancy(hopper, {threads, r, 0}).by_registers >= blocks);
      CHECK(find_occupancy(hopper, {threads, r + 1, 0}).by_registers < blocks);
    }
}
