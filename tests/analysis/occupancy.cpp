#include <tg/analysis/occupancy.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/device_table.hpp>

#include <algorithm>
#include <climits>

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
static_assert(registers_for(hopper, 256, 2) == 128 && registers_for(hopper, 256, 1) == 255 &&
              registers_for(hopper, 1024, 3) == 0);

#if __has_include(<cuda_occupancy.h>)
namespace {

cudaOccDeviceProp part_of(int sm, const multiprocessor& m) {
  cudaOccDeviceProp part{};
  part.computeMajor = sm / 10;
  part.computeMinor = sm % 10;
  part.maxThreadsPerBlock = max_block_threads;
  part.maxThreadsPerMultiprocessor = m.threads;
  part.regsPerBlock = part.regsPerMultiprocessor = m.registers;
  part.warpSize = 32;
  part.sharedMemPerBlock = 48 * 1024;
  part.sharedMemPerMultiprocessor = static_cast<std::size_t>(m.shared_bytes);
  part.sharedMemPerBlockOptin = static_cast<std::size_t>(m.shared_opt_in_bytes);
  part.reservedSharedMemPerBlock = static_cast<std::size_t>(m.shared_reserved_bytes);
  part.numSms = 1;
  return part;
}

cudaOccFuncAttributes kernel_of(int registers, std::int64_t static_bytes, int barriers) {
  cudaOccFuncAttributes kernel{};
  kernel.maxThreadsPerBlock = max_block_threads;
  kernel.numRegs = registers;
  kernel.sharedSizeBytes = static_cast<std::size_t>(static_bytes);
  kernel.numBlockBarriers = barriers;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = INT_MAX;
  return kernel;
}

cudaOccDeviceState most_shared() {
  cudaOccDeviceState state{};
  state.carveoutConfig = 100;  // percent
  return state;
}

struct shape {
  int threads, registers;
  std::int64_t static_bytes, dynamic_bytes;
  int barriers;
};

int toolkit_blocks(int sm, const multiprocessor& m, const shape& s) {
  const cudaOccDeviceProp part = part_of(sm, m);
  const cudaOccFuncAttributes kernel = kernel_of(s.registers, s.static_bytes, s.barriers);
  const cudaOccDeviceState state = most_shared();
  cudaOccResult found{};
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&found, &part, &kernel, &state, s.threads,
                                              static_cast<std::size_t>(s.dynamic_bytes)) != CUDA_OCC_SUCCESS)
    return -1;
  return found.activeBlocksPerMultiprocessor;
}

template <class Visit> void for_each_shape(Visit visit) {
  for (const int threads : {1, 32, 33, 64, 96, 128, 160, 224, 256, 288, 384, 512, 640, 768, 1000, 1024})
    for (const int registers : {0, 1, 8, 9, 16, 24, 32, 33, 40, 48, 64, 65, 72, 80, 96, 128, 129, 168, 200, 255})
      for (const std::int64_t own : {0, 1, 4096, 49152})
        for (const std::int64_t shared :
             {0, 1, 1024, 8192, 16384, 33333, 49152, 65536, 99 * 1024, 117760, 163 * 1024, 178 * 1024, 227 * 1024})
          visit(shape{threads, registers, own, shared, 1});
  for (const int threads : {32, 64, 128, 256})
    for (const int barriers : {0, 1, 2, 3, 8, 16}) visit(shape{threads, 32, 0, 0, barriers});
}

/// Shapes of which `find` says something else than the toolkit, over all compute capabilities.
template <class Find> int disagreements(Find find, int& compared) {
  int wrong = 0;
  for (const capability_figures& c : capability_table)
    for_each_shape([&](const shape& s) {
      const block_demand demand{s.threads, s.registers, s.static_bytes + s.dynamic_bytes, s.barriers};
      ++compared;
      wrong += find(c.multiprocessor, demand) != toolkit_blocks(c.sm, c.multiprocessor, s) ? 1 : 0;
    });
  return wrong;
}

}  // namespace

TEST_CASE("occupancy is what the toolkit says, of every compute capability") {
  int compared = 0;
  CHECK(disagreements([](const multiprocessor& m, const block_demand& d) { return find_occupancy(m, d).blocks; }, compared) ==
        0);
  MESSAGE(compared, " shapes of ", std::size(capability_table), " compute capabilities");
  CHECK(compared > 100000);
}

TEST_CASE("occupancy without the partitions of the registers is found to be wrong") {
  int compared = 0;
  const auto plain = [](const multiprocessor& m, const block_demand& d) {
    const int threads = (d.threads + 31) / 32 * 32;
    block_demand without = d;
    without.registers = 0;
    const int by_registers = d.registers == 0 ? 1000 : m.registers / ((d.registers + 7) / 8 * 8 * threads);
    return std::min(find_occupancy(m, without).blocks, by_registers);
  };
  CHECK(disagreements(plain, compared) > 1000);
}

// The header's own cudaOccAvailableDynamicSMemPerBlock forgets what the system reserves of each block.
TEST_CASE("with the dynamic shared memory that blocks leave each other they fit, with a byte more they do not") {
  for (const capability_figures& c : capability_table)
    for (const std::int64_t own : {0, 100, 4096, 20000})
      for (int blocks = 1; blocks <= 16; ++blocks) {
        if (find_occupancy(c.multiprocessor, {32, 16, own}).blocks < blocks) continue;
        const std::int64_t bytes = dynamic_shared_for(c.multiprocessor, own, blocks);
        CAPTURE(c.sm);
        CAPTURE(own);
        CAPTURE(blocks);
        CHECK(toolkit_blocks(c.sm, c.multiprocessor, {32, 16, own, bytes, 1}) >= blocks);
        CHECK(toolkit_blocks(c.sm, c.multiprocessor, {32, 16, own, bytes + 1, 1}) < blocks);
      }
}
#else
TEST_CASE("occupancy beside that of the toolkit: skipped, there is no cuda_occupancy.h") {
  MESSAGE("skipped: cuda_occupancy.h of a CUDA toolkit is not on the path of headers");
}
#endif

TEST_CASE("the registers that ptxas leaves a thread") {
  // What ptxas of CUDA 13.0 gave a kernel with 260 values alive: {threads, blocks, registers}.
  constexpr int seen[][3] = {{96, 5, 128},  {96, 1, 255},  {32, 16, 128}, {32, 32, 64},  {64, 12, 80},  {96, 7, 80},
                             {160, 2, 168}, {160, 3, 128}, {224, 2, 128}, {224, 3, 80},  {288, 1, 168}, {288, 2, 96},
                             {352, 1, 168}, {352, 2, 80},  {256, 3, 80},  {1024, 1, 64}, {1024, 2, 32}, {992, 1, 64},
                             {544, 1, 96},  {512, 1, 128}, {384, 1, 168}, {320, 1, 168}, {64, 9, 96},   {128, 7, 72},
                             {192, 3, 96},  {480, 2, 64},  {736, 1, 80}};
  for (const auto& [threads, blocks, registers] : seen) CHECK(register_cap(hopper, threads, blocks, 0) == registers);
  CHECK(register_cap(hopper, 1024, 1, 128) == 128);
  CHECK(register_cap(hopper, 0, 4, 0) == max_thread_registers);
  CHECK(register_cap(hopper, 1024, 9, 0) == 64);  // so many blocks do not fit
}

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
