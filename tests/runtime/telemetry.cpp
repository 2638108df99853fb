#include <tg/runtime/telemetry.hpp>

#include "hand_written.hpp"

TEST_CASE("telemetry says what a device and its pools have done") {
  auto api = hand_written::emulator_table();
  tg::device gpu(tg::runtime::machine{&api});
  const auto fresh = tg::telemetry_of(gpu);
  CHECK(fresh.device == gpu.name());
  CHECK(fresh.launches == 0);
  CHECK(fresh.pools.allocations == 0);

  constexpr unsigned n = 1000;
  const std::vector<float> host(n, 1.0f);
  const tg::pool pools[] = {tg::pool(gpu), tg::pool(gpu)};
  tg::pool first = pools[0], second = pools[1];
  auto x = gpu.upload(host);
  auto y = first.allocate<float>(n), z = second.allocate<float>(2 * n);
  y.copy_from(host);
  for (int i = 0; i < 3; ++i) gpu.launch(hand_written::saxpy{}, tg::cover(n), x, y, 1.0f, n);
  gpu.launch(hand_written::saxpy{}, tg::cover(n).priority(0), x, y, 1.0f, n);
  gpu.synchronize();
  const auto out = y.to_host();

  const auto t = tg::telemetry_of(gpu, pools);
  CHECK(t.launches == 4);
  CHECK(t.graph_launches == 0);
  CHECK(t.host_to_device_bytes == 8 * n);
  CHECK(t.device_to_host_bytes == 4 * n);
  CHECK(t.synchronisations >= 3);
  CHECK(t.modules_loaded == 1);
  CHECK(t.allocations == 3);
  CHECK(t.allocated_bytes == 4 * n + 2 * (std::size_t{16} << 20));
  CHECK(t.driver_calls > 10);
  CHECK(t.pools.allocations == 2);
  CHECK(t.pools.live_bytes == 4096 + 8192);
  CHECK(t.pools.reserved_bytes == std::size_t{32} << 20);
}
