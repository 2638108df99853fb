#include <tg/runtime/pinned.hpp>

#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;
using tg::driver::result;

TEST_CASE("pinned memory is the host's and the device's") {
  tg::device gpu("emulator");
  const std::size_t free_before = gpu.memory_info().free_bytes;
  {
    tg::pinned<float> a(gpu, 100), b(gpu, 100, {.is_portable = true, .is_write_combined = true});
    CHECK(a.size() == 100);
    std::fill(a.begin(), a.end(), 2.0f);
    std::fill(b.begin(), b.end(), 1.0f);
    gpu.launch(saxpy{}, tg::cover(100), a.mapped(), b.mapped(), 3.0f, 100);
    gpu.synchronize();
    CHECK(b[99] == 7.0f);
    float* const first = a.data();
    tg::pinned<float> moved = std::move(a);
    CHECK(moved.data() == first);
    CHECK(a.empty());
    CHECK(a.data() == nullptr);
    a = tg::pinned<float>(gpu, 5);
    CHECK(a.size() == 5);
    CHECK(tg::pinned<int>(gpu, 0).empty());
    CHECK(tg::pinned<int>(gpu, 0).mapped().empty());
  }
  CHECK(gpu.memory_info().free_bytes == free_before);
  CHECK(error_of([&] { tg::pinned<double>(gpu, SIZE_MAX / 8); }).number == 529);
}

TEST_CASE("memory of the program is registered once, and given back: TG540") {
  tg::device gpu("emulator");
  std::vector<int> own(1000, 4);
  auto b = gpu.zeros<int>(1000);
  {
    const tg::registered<int> pinned(gpu, own);
    auto work = tg::stream(gpu).begin();
    work.copy(b, pinned);
    std::move(work).submit().wait();
    CHECK(b.to_host() == own);
    b.fill(6);
    auto back = tg::stream(gpu).begin();
    back.copy(pinned, b);
    std::move(back).submit().wait();
    CHECK(own[999] == 6);
    const auto twice = error_of([&] { tg::registered<int>(gpu, own); });
    CHECK(twice.number == 540);
    CHECK(twice.says("1000 elements"));
    CHECK(pinned.mapped().size() == 1000);
  }
  CHECK(error_of([&] { tg::registered<int>(gpu, own); }).number == 0);
  CHECK(error_of([&] {
          tg::registered<int>(gpu, std::span<int>{});
        }).says("TG540: 0 elements of host memory are nothing to register"));
}

TEST_CASE("a device that cannot map or has no room says so: TG541, TG504") {
  auto api = hand_written::gpu_table();
  api.cuMemHostGetDevicePointer = [](tg::driver::device_address*, void*, unsigned) { return result::invalid_value; };
  tg::device gpu(tg::runtime::machine{&api});
  tg::pinned<int> host(gpu, 4);
  CHECK(error_of([&] { (void)host.mapped(); }).number == 541);
  api.cuMemHostAlloc = [](void**, std::size_t, unsigned) { return result::out_of_memory; };
  api.cuMemHostRegister = [](void*, std::size_t, unsigned) { return result::out_of_memory; };
  CHECK(error_of([&] { tg::pinned<int>(gpu, 4); }).number == 504);
  std::vector<int> own(4);
  CHECK(error_of([&] { tg::registered<int>(gpu, own); }).number == 504);
}
