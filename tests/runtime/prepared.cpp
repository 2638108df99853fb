#include <tg/runtime/prepared.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::result;

TEST_CASE("a prepared launch runs as often as it is called, with one call of the driver each") {
  static int calls;
  calls = 0;
  auto api = hand_written::gpu_table();
  api.cuLaunchKernel = [](tg::driver::function_handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, tg::driver::stream_handle s, void** p, void** extra) {
    ++calls;
    return tg::emulator::driver_table().cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, s, p, extra);
  };
  tg::device gpu(tg::runtime::machine{&api});
  constexpr unsigned n = 1000;
  auto x = gpu.upload(std::vector<float>(n, 1.0f)), y = gpu.zeros<float>(n);
  const tg::prepared step(gpu, hand_written::saxpy{}, tg::cover(n));
  const auto before = gpu.context()->counts().total();
  for (int i = 0; i < 10; ++i) step(x, y, 2.0f, n);
  CHECK(gpu.context()->counts().total() == before + 10);
  CHECK(calls == 10);
  CHECK(y.to_host() == std::vector<float>(n, 20.0f));
  CHECK(step.plan().grid == tg::runtime::block_counts{4, 1, 1});

  tg::driver::stream_handle stream = nullptr;
  gpu.context()->call(api.cuStreamCreate, &stream, tg::driver::stream_flag::non_blocking);
  step.on(stream, x, y, 1.0f, n);
  gpu.context()->synchronize(stream);
  CHECK(y.to_host() == std::vector<float>(n, 21.0f));
  gpu.context()->release(api.cuStreamDestroy, stream);
}

TEST_CASE("a prepared launch checks its shape once and its arguments each time") {
  tg::device gpu("emulator");
  auto x = gpu.zeros<float>(64), none = gpu.zeros<float>(0);
  CHECK(error_of([&] { tg::prepared(gpu, hand_written::saxpy{}, tg::cover(0)); }).number == 521);
  CHECK(error_of([&] { tg::prepared(gpu, hand_written::saxpy{}, tg::grid(1 << 20).cooperative()); }).number == 568);
  const tg::prepared step(gpu, hand_written::saxpy{}, tg::cover(64));
  CHECK(error_of([&] { step(x, none, 1.0f, 64); }).number == 523);
  CHECK(error_of([&] { step(x, x, 1.0f, 64); }).number == 531);
}

TEST_CASE("a prepared launch that fails names the kernel and the line that prepared it") {
  auto api = hand_written::gpu_table();
  api.cuLaunchKernel = [](tg::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          tg::driver::stream_handle, void**, void**) { return result::launch_out_of_resources; };
  tg::device gpu(tg::runtime::machine{&api});
  auto x = gpu.zeros<float>(64), y = gpu.zeros<float>(64);
  const tg::prepared step(gpu, hand_written::saxpy{}, tg::cover(64));
  const auto failed = error_of([&] { step(x, y, 1.0f, 64); });
  CHECK(failed.number == 509);
  CHECK(failed.says("launch of 'saxpy' with 1 x 1 x 1 blocks of 256 x 1 x 1 threads"));
  CHECK(failed.says("(prepared.cpp:"));
}
