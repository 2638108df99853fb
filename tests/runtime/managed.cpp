#include <tg/runtime/managed.hpp>

#include <numeric>

#include <tg/runtime/capture.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

TEST_CASE("managed memory is used by host and kernels by one address") {
  tg::device gpu;
  tg::managed<float> x(gpu, 500), y(gpu, 500);
  std::iota(x.begin(), x.end(), 0.0f);
  std::fill(y.begin(), y.end(), 1.0f);
  x.read_mostly();
  x.prefetch();
  gpu.launch(saxpy{}, tg::cover(500), x, y, 2.0f, 500);
  y.prefetch_to_host();
  gpu.synchronize();
  CHECK(y[499] == 999.0f);
  CHECK(x.native() == reinterpret_cast<std::uintptr_t>(x.data()));
  auto b = gpu.zeros<float>(500);
  b.copy_from(std::as_const(y).whole());
  CHECK(b.to_host()[1] == 3.0f);
}

TEST_CASE("managed memory is moved and given back") {
  tg::device gpu("emulator");
  const std::size_t free_before = gpu.memory_info().free_bytes;
  {
    tg::managed<int> a(gpu, 1000);
    CHECK(gpu.memory_info().free_bytes < free_before);
    tg::managed<int> b = std::move(a);
    CHECK(a.empty());
    CHECK(b.size() == 1000);
    a = std::move(b);
    CHECK(a.size() == 1000);
    CHECK(tg::managed<int>(gpu, 0).empty());
  }
  CHECK(gpu.memory_info().free_bytes == free_before);
  CHECK(error_of([&] { tg::managed<int>(gpu, SIZE_MAX / 4); }).number == 529);
}

TEST_CASE("a device without managed memory says so: TG541") {
  auto api = hand_written::emulator_table();
  api.cuDeviceGetAttribute = [](int* value, tg::driver::device_attribute a, tg::driver::device_id d) {
    const auto r = tg::emulator::driver_table().cuDeviceGetAttribute(value, a, d);
    if (a == tg::driver::device_attribute::managed_memory) *value = 0;
    return r;
  };
  tg::device gpu(tg::runtime::machine{&api});
  CHECK(error_of([&] { tg::managed<int>(gpu, 4); }).says("TG541: 'tg emulator' has no managed memory"));
}

TEST_CASE("a prefetch asks first whether the device can, and whether the stream is captured") {
  static int prefetches;
  static int can;
  prefetches = 0;
  auto api = hand_written::gpu_table();
  api.cuMemPrefetchAsync = [](tg::driver::device_address a, std::size_t n, tg::driver::device_id d,
                              tg::driver::stream_handle s) {
    ++prefetches;
    return tg::emulator::driver_table().cuMemPrefetchAsync(a, n, d, s);
  };
  api.cuDeviceGetAttribute = [](int* value, tg::driver::device_attribute a, tg::driver::device_id d) {
    const auto r = tg::emulator::driver_table().cuDeviceGetAttribute(value, a, d);
    if (a == tg::driver::device_attribute::concurrent_managed_access) *value = can;
    return r;
  };
  for (const int answer : {0, 1}) {
    can = answer;
    const tg::device gpu(tg::runtime::machine{&api});
    const tg::managed<int> x(gpu, 16);
    x.prefetch();
    x.prefetch_to_host();
    CHECK(prefetches == 2 * answer);
    if (answer == 0) continue;
    auto capturing = tg::stream(gpu).capture();
    CHECK(error_of([&] { x.prefetch(capturing.native()); }).number == 533);
    CHECK(std::move(capturing).end().graph.size() == 0);
  }
}
