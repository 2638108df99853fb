#include <tg/runtime/pool.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include <tg/runtime/capture.hpp>

#include "counting_table.hpp"
#include "hand_written.hpp"

using hand_written::error_of;

namespace {

using namespace counting;

constexpr std::size_t mib = std::size_t{1} << 20;

}  // namespace

TEST_CASE("a kernel works on a pool's memory") {
  tg::device gpu;
  tg::pool pool(gpu);
  constexpr unsigned n = 1000;
  std::vector<float> host(n);
  std::iota(host.begin(), host.end(), 1.0f);
  auto x = pool.allocate<float>(n), y = pool.allocate<float>(n);
  x.copy_from(host);
  y.copy_from(host);
  gpu.launch(hand_written::saxpy{}, tg::cover(n), x, y, 2.0f, n);
  const auto out = y.to_host();
  for (unsigned i = 0; i < n; ++i) REQUIRE(out[i] == 3 * host[i]);
  CHECK(x.native() % 256 == 0);
  CHECK(error_of([&] { x.copy_from(host, 1); }).number == 528);
  CHECK(error_of([&] { pool.allocate<double>(std::size_t{1} << 62); }).number == 529);
  const auto none = pool.allocate<float>(0);
  CHECK(none.empty());
  CHECK(none.native() == 0);
  CHECK(none.to_host().empty());
}

TEST_CASE("memory freed on a stream is used again on it without the driver") {
  auto api = counting_table();
  {
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu);
    const raw_stream s(gpu);
    auto first = pool.allocate<float>(1 << 18, s);
    const auto address = first.native();
    const auto before = seen.calls;
    seen.is_busy = true;
    for (int i = 0; i < 100; ++i) {
      first = {};
      first = pool.allocate<float>(1 << 18, s);
      REQUIRE(first.native() == address);
    }
    CHECK(seen.calls == before);
    const auto told = pool.statistics();
    CHECK(told.allocations == 101);
    CHECK(told.hits == 100);
    CHECK(told.driver_allocations == 1);
    CHECK(told.live == 1);
    CHECK(told.live_bytes == mib);
    CHECK(told.peak_live_bytes == mib);
    CHECK(told.reserved_bytes == 16 * mib);
    CHECK(told.free_bytes == 15 * mib);
    CHECK(told.fragmentation() == 0);
  }
  CHECK(is_nothing_left());
}

TEST_CASE("another stream gets freed memory after the work on it") {
  auto api = counting_table();
  {
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu, {.growth_bytes = 2 * mib});
    const raw_stream a(gpu), b(gpu);
    const auto take = [&](const raw_stream& s) { return pool.allocate<char>(2 * mib, s); };
    const auto address = take(a).native();
    SUBCASE("that is done: at once") {
      CHECK(take(b).native() == address);
      CHECK(seen.recorded == std::vector<stream_handle>{a.native()});
      CHECK(seen.waits.empty());
      CHECK(take(b).native() == address);
      CHECK(seen.recorded.size() == 1);  // it is b's own now
    }
    SUBCASE("that goes on: the stream waits for it") {
      seen.is_busy = true;
      CHECK(take(b).native() == address);
      REQUIRE(seen.waits.size() == 1);
      CHECK(seen.waits[0].first == b.native());
      CHECK(pool.statistics().reused_elsewhere == 1);
      CHECK(pool.statistics().reserved_bytes == 2 * mib);
    }
    SUBCASE("that goes on, in a pool that does not wait: the pool grows") {
      tg::pool other(gpu, {.growth_bytes = 2 * mib, .waits_for_streams = false});
      const auto first = other.allocate<char>(2 * mib, a).native();
      seen.is_busy = true;
      CHECK(other.allocate<char>(2 * mib, b).native() != first);
      CHECK(seen.waits.empty());
      CHECK(other.statistics().reserved_bytes == 4 * mib);
    }
    SUBCASE("on a third stream that used it: the owner waits for that one") {
      auto x = take(a);
      x.used_on(b);
      x.used_on(a);
      x = {};
      CHECK(seen.recorded == std::vector<stream_handle>{b.native()});
      REQUIRE(seen.waits.size() == 1);
      CHECK(seen.waits[0].first == a.native());
    }
    SUBCASE("of a stream that is forgotten: everybody") {
      auto late = take(a);
      pool.forget(a);
      late = {};
      seen.is_busy = true;
      CHECK(pool.allocate<char>(2 * mib).native() == address);
      CHECK(seen.waits.empty());
      const raw_stream next(gpu);
      CHECK(take(next).size() == 2 * mib);
    }
  }
  CHECK(is_nothing_left());
}

TEST_CASE("a pool in reserved addresses grows by what is missing at its end") {
  auto api = counting_table();
  tg::device gpu(tg::runtime::machine{&api});
  tg::pool pool(gpu, {.growth_bytes = 2 * mib});
  auto small = pool.allocate<char>(3 * mib);  // 4 MiB
  const auto end = small.native() + 3 * mib;
  auto large = pool.allocate<char>(9 * mib);  // 1 MiB is there
  CHECK(large.native() == end);
  CHECK(pool.statistics().reserved_bytes == 12 * mib);
  small = {};
  large = {};
  CHECK(pool.allocate<char>(12 * mib).native() == end - 3 * mib);
  CHECK(seen.memories == 2);

  std::vector<unsigned char> host(12 * mib);
  std::mt19937 random(1);
  for (auto& h : host) h = static_cast<unsigned char>(random());
  auto whole = pool.allocate<unsigned char>(12 * mib);
  whole.copy_from(host);
  CHECK(whole.to_host() == host);
}

TEST_CASE("trimming gives back what is free and keeps what is used") {
  auto api = counting_table();
  for (const bool maps : {true, false}) {
    CAPTURE(maps);
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu, {.growth_bytes = 2 * mib, .maps_memory = maps});
    const raw_stream s(gpu);
    auto a = pool.allocate<int>(mib / 2), b = pool.allocate<int>(mib / 2), c = pool.allocate<int>(mib / 2, s);
    b.copy_from(std::vector<int>(mib / 2, 7));
    CHECK(seen.memories + seen.allocations == 3);
    a = {};
    c = {};
    CHECK(pool.trim() == 4 * mib);
    CHECK(seen.memories + seen.allocations == 1);
    CHECK(pool.statistics().reserved_bytes == 2 * mib);
    CHECK(pool.statistics().peak_reserved_bytes == 6 * mib);
    CHECK(b.to_host() == std::vector<int>(mib / 2, 7));
    a = pool.allocate<int>(mib / 2);
    a.copy_from(std::vector<int>(mib / 2, 8));
    CHECK(b.to_host() == std::vector<int>(mib / 2, 7));
    a = {};
    b = {};
    CHECK(pool.trim() == 4 * mib);
    CHECK(pool.trim() == 0);
    CHECK(seen.memories + seen.allocations == 0);
  }
}

TEST_CASE("a driver that cannot map gives the pool pieces of their own") {
  auto api = counting_table();
  seen.cannot_map = true;
  {
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu, {.growth_bytes = 4 * mib});
    auto a = pool.allocate<char>(mib), b = pool.allocate<char>(10 * mib);
    CHECK(seen.allocations == 2);
    CHECK(seen.reservations == 0);
    CHECK(pool.statistics().reserved_bytes == 14 * mib);
  }
  CHECK(is_nothing_left());
}

TEST_CASE("out of memory is an error that says who holds it, and the pool goes on") {
  auto api = counting_table();
  {
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu, {.growth_bytes = 2 * mib, .most_bytes = 8 * mib});
    std::vector<tg::pooled<char>> held;
    for (int i = 0; i < 3; ++i) held.push_back(pool.allocate<char>(2 * mib));
    auto other = pool.allocate<char>(mib);
    const auto refused = error_of([&] { pool.allocate<char>(3 * mib); });
    CHECK(refused.number == 565);  // TG565
    CHECK(refused.says("a pool has no 3145728 bytes: it reserves 8388608 of at most 8388608, 7340032 are in use, the largest "
                       "free range has 1048576"));
    CHECK(refused.says("held: 6291456 in 3 from pool.cpp:"));
    CHECK(refused.says(", 1048576 in 1 from pool.cpp:"));
    CHECK(pool.allocate<char>(mib).size() == mib);
    held.pop_back();
    CHECK(pool.allocate<char>(3 * mib).size() == 3 * mib);
  }
  CHECK(is_nothing_left());
}

TEST_CASE("memory that other streams freed is joined before the pool gives up") {
  auto api = counting_table();
  tg::device gpu(tg::runtime::machine{&api});
  tg::pool pool(gpu, {.growth_bytes = 2 * mib, .most_bytes = 4 * mib});
  const raw_stream a(gpu), b(gpu);
  { auto x = pool.allocate<char>(2 * mib, a), y = pool.allocate<char>(2 * mib, b); }
  CHECK(pool.allocate<char>(4 * mib).size() == 4 * mib);
  CHECK(pool.statistics().reserved_bytes == 4 * mib);
}

TEST_CASE("pieces are given back to make room when the device is full") {
  auto api = counting_table();
  tg::device gpu(tg::runtime::machine{&api});
  tg::pool pool(gpu, {.growth_bytes = 2 * mib, .maps_memory = false});
  { auto a = pool.allocate<char>(2 * mib), b = pool.allocate<char>(2 * mib); }
  api.cuMemAlloc = [](device_address* out, std::size_t bytes) {
    return seen.allocations > 0 ? result::out_of_memory
                                : count(seen.allocations, [&] { return real().cuMemAlloc(out, bytes); });
  };
  CHECK(pool.allocate<char>(4 * mib).size() == 4 * mib);
  CHECK(pool.statistics().given_back_bytes == 4 * mib);
  CHECK(seen.allocations == 1);
}

TEST_CASE("the device's own end of memory is TG565 too, and mapped memory counts") {
  tg::device gpu("emulator");
  tg::pool pool(gpu);
  const auto before = gpu.memory_info();
  auto some = pool.allocate<char>(64 * mib);
  CHECK(gpu.memory_info().free_bytes == before.free_bytes - 64 * mib);
  CHECK(error_of([&] { pool.allocate<char>(gpu.memory_info().total_bytes); }).number == 565);
  CHECK(error_of([&] { gpu.allocate<char>(gpu.memory_info().total_bytes - 32 * mib); }).number == 504);
  some = {};
  pool.trim();
  CHECK(gpu.memory_info().free_bytes == before.free_bytes);
}

TEST_CASE("a pool serves other streams while a stream is captured, and breaks nothing") {
  auto api = counting_table();
  tg::device gpu(tg::runtime::machine{&api});
  tg::pool pool(gpu, {.growth_bytes = 2 * mib});
  const raw_stream other(gpu);
  pool.allocate<char>(2 * mib);  // free on the default stream
  auto x = gpu.zeros<float>(64);
  auto capturing = tg::stream(gpu).capture();
  capturing.fill(x, 1.0f);
  auto inside = pool.allocate<char>(2 * mib, other);
  CHECK(seen.recorded.empty());
  CHECK(pool.statistics().reserved_bytes == 4 * mib);
  const auto done = std::move(capturing).end();
  CHECK(done.graph.size() == 1);
  inside = {};
  CHECK(pool.allocate<char>(4 * mib).size() == 4 * mib);
}

TEST_CASE("the handle of a stream that ended never reaches the driver, and its work is waited for") {
  auto api = counting_table();
  static std::vector<stream_handle> destroyed;
  static int stale;
  destroyed.clear();
  stale = 0;
  const auto is_stale = [](stream_handle s) { stale += std::ranges::count(destroyed, s) > 0; };
  static const auto note = is_stale;
  api.cuStreamDestroy = [](stream_handle s) {
    const result r = real().cuStreamDestroy(s);
    if (r == result::success) destroyed.push_back(s);
    return r;
  };
  api.cuEventRecord = [](event_handle e, stream_handle s) { return note(s), real().cuEventRecord(e, s); };
  api.cuStreamWaitEvent = [](stream_handle s, event_handle e, unsigned f) {
    return note(s), real().cuStreamWaitEvent(s, e, f);
  };
  api.cuStreamSynchronize = [](stream_handle s) { return note(s), real().cuStreamSynchronize(s); };
  api.cuStreamIsCapturing = [](stream_handle s, tg::driver::capture_status* out) {
    return note(s), real().cuStreamIsCapturing(s, out);
  };
  api.cuMemcpyDtoHAsync = [](void* to, device_address from, std::size_t n, stream_handle s) {
    return note(s), real().cuMemcpyDtoHAsync(to, from, n, s);
  };
  {
    tg::device gpu(tg::runtime::machine{&api});
    tg::pool pool(gpu);
    auto kept = pool.allocate<float>(1000), used = pool.allocate<float>(1000);
    {
      const tg::stream first(gpu, {.is_non_blocking = true}), second(gpu, {.is_non_blocking = true});
      kept = pool.allocate<float>(1000, first);
      { const auto freed = pool.allocate<float>(2000, first); }
      used.used_on(second);
      kept.used_on(second);
    }
    CHECK(destroyed.size() == 2);
    CHECK(kept.to_host().size() == 1000);
    used = {};
    kept = {};
    { const auto large = pool.allocate<float>(2000); }
    tg::stream third(gpu);
    { const auto other = pool.allocate<float>(2000, third); }
    pool.trim();
  }
  CHECK(stale == 0);
  CHECK(is_nothing_left());
}
