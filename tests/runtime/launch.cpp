#include <tg/runtime/launch.hpp>

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
                          tg::driver::stream_handle, void**, void**) {
    return std::exchange(is_broken, true) ? result::illegal_address : result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.zeros<float>(1), y = gpu.zeros<float>(1);
  auto a = gpu.zeros<unsigned>(4);
  gpu.launch(hand_written::saxpy{}, tg::cover(1), x, y, 1.0f, 1);
  const auto blamed = error_of([&] { gpu.launch(hand_written::number_rows{}, tg::grid(1), tg::matrix(a, 1, 4), true, 1); });
  CHECK(blamed.number == 508);
  CHECK(blamed.says("most likely the fault of 'saxpy'"));
}
