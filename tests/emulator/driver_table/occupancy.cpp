#include <tg/emulator/driver_table/occupancy.hpp>

#include "session.hpp"

#if __has_include(<cuda_occupancy.h>)
#include <climits>

#include <cuda_occupancy.h>
#endif

using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("the best block size has the most threads, with shared memory that grows with the block too") {
  const driver_session::context c;
  const driver_session::module m;
  int grid = 0, block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("add"), nullptr, 0, 0) == result::success);
  CHECK(block == 1024);
  CHECK(grid % 2 == 0);
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("add"), nullptr, 0, 100) == result::success);
  CHECK(block == 64);  // 32 of them
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, m.find("put"), nullptr, 0, 0) == result::success);
  CHECK(block == 256);  // .maxntid
  const auto growing = [](int threads) { return static_cast<std::size_t>(threads) * 200; };
  CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, m.find("add"), growing, 0, 0, 0) == result::success);
  CHECK(block < 1024);
  CHECK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, m.find("add"), growing, 0, 0, 2) == result::invalid_value);
}

TEST_CASE("blocks that share a multiprocessor share its memory, clusters its blocks") {
  const driver_session::context c;
  const driver_session::module m;
  std::size_t bytes = 0;
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, m.find("add"), 2, 256) == result::success);
  CHECK(bytes == (114 - 1) * 1024);
  CHECK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, m.find("add"), 33, 256) == result::invalid_value);
  tg::driver::launch_attribute pair{tg::driver::launch_attribute_id::cluster_dimension, {}, {}};
  pair.value.extent = {2, 1, 1};
  tg::driver::launch_config config{8, 1, 1, 1024, 1, 1, 0, nullptr, &pair, 1};
  int pairs = 0, singles = 0, most = 0;
  CHECK(cuOccupancyMaxActiveClusters(&pairs, m.find("add"), &config) == result::success);
  config.attribute_count = 0;
  CHECK(cuOccupancyMaxActiveClusters(&singles, m.find("add"), &config) == result::success);
  CHECK(singles == 2 * pairs);
  CHECK(cuOccupancyMaxPotentialClusterSize(&most, m.find("add"), &config) == result::success);
  CHECK(most == 8);
}

#if __has_include(<cuda_occupancy.h>)
namespace {

/// What NVIDIA's header says of an sm_90 part.
int toolkit_blocks(int threads, int registers, std::size_t static_bytes, std::size_t dynamic_bytes,
                   std::size_t most_dynamic_bytes) {
  cudaOccDeviceProp part{};
  part.computeMajor = 9;
  part.maxThreadsPerBlock = 1024;
  part.maxThreadsPerMultiprocessor = 2048;
  part.regsPerBlock = part.regsPerMultiprocessor = 65536;
  part.warpSize = 32;
  part.sharedMemPerBlock = 48 << 10;
  part.sharedMemPerMultiprocessor = 228 << 10;
  part.sharedMemPerBlockOptin = 227 << 10;
  part.reservedSharedMemPerBlock = 1 << 10;
  part.numSms = 1;
  cudaOccFuncAttributes kernel{};
  kernel.maxThreadsPerBlock = 1024;
  kernel.numRegs = registers;
  kernel.sharedSizeBytes = static_bytes;
  kernel.numBlockBarriers = 1;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = most_dynamic_bytes;
  cudaOccDeviceState state{};
  state.carveoutConfig = 100;
  cudaOccResult found{};
  REQUIRE(cudaOccMaxActiveBlocksPerMultiprocessor(&found, &part, &kernel, &state, threads, dynamic_bytes) == CUDA_OCC_SUCCESS);
  return found.activeBlocksPerMultiprocessor;
}

}  // namespace

TEST_CASE("the query of the driver answers as NVIDIA's header") {
  const driver_session::context c;
  int compared = 0, wrong = 0;
  for (const int registers : {16, 24, 33, 40, 64, 65, 72, 96, 128, 129, 168, 200, 255})
    for (const std::size_t own : {0u, 100u, 16384u}) {
      std::string moves;
      for (int r = 0; r < registers; ++r) moves += "mov.u32 %r" + std::to_string(r) + ", 0;\n";
      const std::string text =
          ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<" + std::to_string(registers) +
          ">;\n" + (own == 0 ? "" : ".shared .align 4 .b8 tile[" + std::to_string(own) + "];\nst.shared.u32 [tile], 0;\n") +
          moves + "ret;\n}\n";
      tg::driver::module_handle module = nullptr;
      tg::driver::function_handle f = nullptr;
      REQUIRE(driver_session::api().cuModuleLoadDataEx(&module, text.c_str(), 0, nullptr, nullptr) == result::success);
      REQUIRE(driver_session::api().cuModuleGetFunction(&f, module, "k") == result::success);
      int counted = 0;
      REQUIRE(driver_session::api().cuFuncGetAttribute(&counted, tg::driver::function_attribute::num_regs, f) ==
              result::success);
      CHECK(counted == registers);
      for (const std::size_t allowed : {std::size_t{48 << 10} - own, std::size_t{227 << 10} - own}) {
        REQUIRE(driver_session::api().cuFuncSetAttribute(f, tg::driver::function_attribute::max_dynamic_shared_size_bytes,
                                                         static_cast<int>(allowed)) == result::success);
        for (int threads = 32; threads <= 1024; threads += threads < 256 ? 32 : 96)
          for (const std::size_t dynamic : {0u, 1u, 1024u, 8000u, 32768u, 49152u, 65536u, 102400u, 163840u, 232448u}) {
            int blocks = -1;
            REQUIRE(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, dynamic) == result::success);
            ++compared;
            wrong += blocks != toolkit_blocks(threads, registers, own, dynamic, allowed) ? 1 : 0;
          }
      }
      driver_session::api().cuModuleUnload(module);
    }
  MESSAGE(compared, " shapes");
  CHECK(compared > 10000);
  CHECK(wrong == 0);
}
#else
TEST_CASE("the query of the driver beside NVIDIA's header: skipped, there is no cuda_occupancy.h") {
  MESSAGE("skipped: cuda_occupancy.h of a CUDA toolkit is not on the path of headers");
}
#endif
