#include <tg/runtime/launch.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/cluster/dependent_launch.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::result;
using tg::runtime::require_block;

TEST_CASE("a block that the device or the kernel cannot run is refused") {
  tg::device gpu("emulator");
  tg::runtime::compiled_kernel k;
  k.name = "wide";
  k.registers = 200;
  k.max_threads = 256;
  const auto refused = [&](tg::runtime::block_threads block) {
    return error_of([&] { require_block(*gpu.context(), k, block, {"k.cpp", 9}); });
  };
  CHECK(refused({256, 1, 1}).number == 0);
  const auto registers = refused({257, 1, 1});
  CHECK(registers.number == 522);
  CHECK(registers.says("with 200 registers, it runs with at most 256"));
  CHECK(registers.says("(k.cpp:9)"));
  CHECK(refused({1, 1, 65}).says("1 to 64 along z"));
  CHECK(refused({0, 1, 1}).number == 522);
  CHECK(refused({1024, 1024, 64}).says("at most 1024 in a block"));
}

TEST_CASE("registers times threads must fit the device, warps get them in units of 256") {
  tg::device gpu("emulator");
  tg::runtime::compiled_kernel k;
  k.name = "heavy";
  k.max_threads = 1024;
  const auto refused = [&](int registers, std::uint32_t threads) {
    k.registers = registers;
    return error_of([&] { require_block(*gpu.context(), k, {threads, 1, 1}, {}); });
  };
  CHECK(refused(64, 1024).number == 0);
  CHECK(refused(128, 512).number == 0);
  const auto heavy = refused(65, 1024);
  CHECK(heavy.number == 522);
  CHECK(heavy.says("with 65 registers a thread, no block fits into the 65536 registers of a multiprocessor"));
  CHECK(refused(128, 480).number == 0);
  CHECK(refused(192, 288).number == 522);  // nine warps count as twelve
  CHECK(refused(128, 513).number == 522);
  CHECK(refused(255, 256).number == 0);
}

TEST_CASE("a launch that the driver refuses names kernel, shape and line") {
  auto api = hand_written::gpu_table();
  api.cuLaunchKernel = [](tg::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          tg::driver::stream_handle, void**, void**) { return result::launch_out_of_resources; };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.zeros<float>(1000), y = gpu.zeros<float>(1000);
  const auto refused = error_of([&] { gpu.launch(hand_written::saxpy{}, tg::cover(1000), x, y, 1.0f, 1000); });
  CHECK(refused.number == 509);
  CHECK(refused.says("launch of 'saxpy' with 4 x 1 x 1 blocks of 256 x 1 x 1 threads: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"));
  CHECK(refused.says("(launch.cpp:"));
}

TEST_CASE("a launch in a broken context blames the launch before it") {
  static bool is_broken;
  is_broken = false;
  auto api = hand_written::gpu_table();
  api.cuLaunchKernel = [](tg::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          tg::driver::stream_handle, void**,
                          void**) { return std::exchange(is_broken, true) ? result::illegal_address : result::success; };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.zeros<float>(1), y = gpu.zeros<float>(1);
  auto a = gpu.zeros<unsigned>(4);
  gpu.launch(hand_written::saxpy{}, tg::cover(1), x, y, 1.0f, 1);
  const auto blamed = error_of([&] { gpu.launch(hand_written::number_rows{}, tg::grid(1), tg::matrix(a, 1, 4), true, 1); });
  CHECK(blamed.number == 508);
  CHECK(blamed.says("most likely the fault of 'saxpy'"));
}

TEST_CASE("threads launch at the same time, each on a stream of its own") {
  tg::device gpu("emulator");
  constexpr unsigned n = 64, launches = 1000;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const auto& api = gpu.context()->api();
      tg::driver::stream_handle stream = nullptr;
      gpu.context()->call(api.cuStreamCreate, &stream, tg::driver::stream_flag::non_blocking);
      const auto x = gpu.upload(std::vector<float>(n, 1.0f));
      auto y = gpu.zeros<float>(n);
      gpu.context()->synchronize(nullptr);  // the driver orders no non-blocking stream after the upload and the zeros
      for (unsigned i = 0; i < launches; ++i) gpu.launch_on(stream, hand_written::saxpy{}, tg::cover(n), x, y, 1.0f, n);
      gpu.context()->synchronize(stream);
      for (const float v : y.to_host()) wrong += v != static_cast<float>(launches);
      gpu.context()->release(api.cuStreamDestroy, stream);
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("a grid has no more blocks than the kernel's arithmetic tells apart") {
  tg::runtime::compiled_kernel kernel;
  kernel.name = "k";
  kernel.most_blocks = {1u << 24, 70, 0xffffffff};
  const auto refused = [&](const tg::placement& where, const tg::runtime::block_counts& grid) {
    return error_of([&] { tg::runtime::require_reach(kernel, grid, where); });
  };
  CHECK(refused(tg::grid(1 << 24, 70, 65535), {1u << 24, 70, 65535}).number == 0);
  CHECK(refused(tg::cover((std::size_t{1} << 32) + 64), {(1u << 24) + 1, 1, 1}).number == 573);
  CHECK(refused(tg::cover((std::size_t{1} << 32) + 64), {(1u << 24) + 1, 1, 1})
            .says("16777217 blocks along x for 4294967360 elements"));
  CHECK(refused(tg::grid(1, 71), {1, 71, 1}).says("71 blocks along y; what the kernel computes from block.index.y"));
}

TEST_CASE("a kernel with clusters of its own is launched as they say, in whole clusters") {
  tg::device gpu("emulator");
  constexpr auto pair = tg::kernel<"pair">(tg::block<64> | tg::cluster<2>, [](auto block, tg::in<float> x, tg::out<float> y) {
    auto tile = tg::shared<float>(tg::shape<64>);
    const auto i = block.global_index();
    const auto cluster = block.cluster();
    tile(block.thread.x) = x(i);
    cluster.sync();
    y(i) = cluster.tile(tile, cluster.rank ^ 1u)(block.thread.x);
    cluster.sync();
  });
  std::vector<float> numbers(256);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  auto x = gpu.upload(numbers);
  auto y = gpu.upload(std::vector<float>(256));
  gpu.launch(pair, tg::grid(4), x, y);
  const std::vector<float> got = y.to_host();
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == numbers[i ^ 64]);
  const auto odd = error_of([&] { gpu.launch(pair, tg::grid(3), x, y); });
  CHECK(odd.number == 569);
  CHECK(odd.says("clusters of 2 blocks do not fill 3 blocks along x"));
  CHECK(error_of([&] { gpu.launch(pair, tg::grid(4).cluster(4), x, y); }).number == 569);
}

TEST_CASE("a launch that overlaps the one before it waits where the kernel says so") {
  tg::device gpu("emulator");
  constexpr auto next = tg::kernel<"next">(tg::block<64>, [](auto block, tg::inout<float> y) {
    tg::wait_for_prior_grids();
    y(block.global_index()) += 1.0f;
    tg::launch_dependents();
  });
  auto y = gpu.upload(std::vector<float>(128, 2.0f));
  for (int k = 0; k < 3; ++k) gpu.launch(next, tg::grid(2).overlapping(), y);
  for (const float v : y.to_host()) CHECK(v == 5.0f);
}
