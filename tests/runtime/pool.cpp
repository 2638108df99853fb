#include <tg/runtime/pool.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include <tg/runtime/capture.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::device_address;
using tg::driver::device_attribute;
using tg::driver::event_handle;
using tg::driver::result;
using tg::driver::stream_handle;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// What a counting table has seen, and what it is told to do.
struct counted {
  std::size_t calls = 0, memories = 0, mappings = 0, reservations = 0, allocations = 0, events = 0;
  std::vector<stream_handle> recorded;
  std::vector<std::pair<stream_handle, event_handle>> waits;
  bool is_busy = false;  // no event is ever reached
  bool cannot_map = false;
  std::size_t fails_at = 0;  // the n-th of the calls below fails
  std::size_t most_memories = 1000000;

  bool fails() { return ++calls == fails_at; }
};

counted seen;

const tg::driver::table& real() { return tg::emulator::driver_table(); }

template <class Make> result count(std::size_t& objects, Make make) {
  if (seen.fails()) return result::unknown;
  const result r = make();
  if (r == result::success) ++objects;
  return r;
}

/// The emulator's table with the counts of `seen`.
tg::driver::table counting_table() {
  seen = {};
  auto api = hand_written::gpu_table();
  api.cuDeviceGetAttribute = [](int* value, device_attribute a, tg::driver::device_id device) {
    const result r = real().cuDeviceGetAttribute(value, a, device);
    if (a == device_attribute::virtual_memory_management_supported && seen.cannot_map) *value = 0;
    return r;
  };
  api.cuMemAddressReserve = [](device_address* out, std::size_t bytes, std::size_t alignment, device_address wish,
                               unsigned long long flags) {
    return count(seen.reservations, [&] { return real().cuMemAddressReserve(out, bytes, alignment, wish, flags); });
  };
  api.cuMemAddressFree = [](device_address at, std::size_t bytes) {
    --seen.reservations;
    return real().cuMemAddressFree(at, bytes);
  };
  api.cuMemCreate = [](tg::driver::physical_handle* out, std::size_t bytes, const tg::driver::allocation_properties* p,
                       unsigned long long flags) {
    if (seen.memories >= seen.most_memories) return result::out_of_memory;
    return count(seen.memories, [&] { return real().cuMemCreate(out, bytes, p, flags); });
  };
  api.cuMemRelease = [](tg::driver::physical_handle h) {
    --seen.memories;
    return real().cuMemRelease(h);
  };
  api.cuMemMap = [](device_address at, std::size_t bytes, std::size_t offset, tg::driver::physical_handle h,
                    unsigned long long flags) {
    return count(seen.mappings, [&] { return real().cuMemMap(at, bytes, offset, h, flags); });
  };
  api.cuMemSetAccess = [](device_address at, std::size_t bytes, const tg::driver::memory_access_description* a, std::size_t n) {
    if (seen.fails()) return result::unknown;
    return real().cuMemSetAccess(at, bytes, a, n);
  };
  api.cuMemUnmap = [](device_address at, std::size_t bytes) {
    --seen.mappings;
    return real().cuMemUnmap(at, bytes);
  };
  api.cuMemAlloc = [](device_address* out, std::size_t bytes) {
    return count(seen.allocations, [&] { return real().cuMemAlloc(out, bytes); });
  };
  api.cuMemFree = [](device_address at) {
    --seen.allocations;
    return real().cuMemFree(at);
  };
  api.cuEventCreate = [](event_handle* out, tg::driver::event_flag flags) {
    return count(seen.events, [&] { return real().cuEventCreate(out, flags); });
  };
  api.cuEventDestroy = [](event_handle e) {
    --seen.events;
    return real().cuEventDestroy(e);
  };
  api.cuEventRecord = [](event_handle e, stream_handle s) {
    if (seen.fails()) return result::unknown;
    seen.recorded.push_back(s);
    return real().cuEventRecord(e, s);
  };
  api.cuEventQuery = [](event_handle e) {
    if (seen.fails()) return result::unknown;
    return seen.is_busy ? result::not_ready : real().cuEventQuery(e);
  };
  api.cuStreamWaitEvent = [](stream_handle s, event_handle e, unsigned flags) {
    if (seen.fails()) return result::unknown;
    seen.waits.emplace_back(s, e);
    return real().cuStreamWaitEvent(s, e, flags);
  };
  return api;
}

/// A plain stream of the driver.
struct raw_stream {
  explicit raw_stream(const tg::device& of) : context(of.context()) {
    context->call(context->api().cuStreamCreate, &handle, tg::driver::stream_flag::non_blocking);
  }
  raw_stream(const raw_stream&) = delete;
  raw_stream& operator=(const raw_stream&) = delete;
  ~raw_stream() { context->release(context->api().cuStreamDestroy, handle); }
  stream_handle native() const { return handle; }

  std::shared_ptr<tg::runtime::context> context;
  stream_handle handle = nullptr;
};

bool is_nothing_left() {
  return seen.memories == 0 && seen.mappings == 0 && seen.reservations == 0 && seen.allocations == 0 && seen.events == 0;
}

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

TEST_CASE("whichever call of the driver fails, nothing leaks and the pool goes on") {
  for (const bool maps : {true, false}) {
    std::size_t failures = 0;
    for (std::size_t n = 1; n < 60; ++n) {
      CAPTURE(n);
      auto api = counting_table();
      {
        tg::device gpu(tg::runtime::machine{&api});
        const raw_stream a(gpu), b(gpu);
        seen.calls = 0;
        seen.fails_at = n;
        tg::pool pool(gpu, {.growth_bytes = 2 * mib, .most_bytes = 6 * mib, .maps_memory = maps});
        const auto scenario = [&] {
          auto x = pool.allocate<char>(2 * mib, a);
          x.used_on(b);
          x = {};
          auto y = pool.allocate<char>(2 * mib, b), z = pool.allocate<char>(2 * mib, a);
          seen.is_busy = true;
          y = {};
          auto w = pool.allocate<char>(2 * mib, a);
          seen.is_busy = false;
          z = {};
          w = {};
          auto v = pool.allocate<char>(5 * mib);
        };
        const auto thrown = error_of(scenario);
        if (thrown.number != 0) {
          ++failures;
          CHECK((thrown.number == 500 || thrown.number == 565));
        }
        seen.fails_at = 0;
        seen.is_busy = false;
        CHECK(error_of(scenario).number == 0);
        CHECK(pool.statistics().live == 0);
        CHECK(pool.statistics().live_bytes == 0);
      }
      CHECK(is_nothing_left());
    }
    CHECK(failures > 0);
  }
}

TEST_CASE("threads share a pool") {
  tg::device gpu("emulator");
  tg::pool pool(gpu, {.growth_bytes = 4 * mib});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const raw_stream s(gpu);
      std::mt19937 random(t);
      std::vector<std::pair<tg::pooled<unsigned>, unsigned>> held;
      for (unsigned i = 0; i < 300; ++i) {
        auto x = pool.allocate<unsigned>(1 + random() % 20000, s);
        const unsigned value = t * 1000 + i;
        x.copy_from(std::vector<unsigned>(x.size(), value));
        held.emplace_back(std::move(x), value);
        if (held.size() < 8) continue;
        auto& victim = held[random() % held.size()];
        for (const unsigned v : victim.first.to_host())
          if (v != victim.second) ++wrong;
        std::swap(victim, held.back());
        held.pop_back();
      }
      held.clear();
      pool.forget(s);
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  CHECK(pool.statistics().live == 0);
  CHECK(pool.trim() == pool.statistics().peak_reserved_bytes);
}

TEST_CASE("10,000 random allocations of 1 KB to 10 MB from a pool of mapped memory") {
  tg::device gpu("emulator");
  tg::pool pool(gpu);
  std::mt19937_64 random(12);
  std::uniform_int_distribution<std::size_t> sizes(1 << 10, 10 * mib);
  std::vector<tg::pooled<char>> live;
  std::size_t live_bytes = 0, peak_bytes = 0;
  for (int i = 0; i < 10000; ++i) {
    if (live.size() == 1000) {
      auto& victim = live[random() % live.size()];
      live_bytes -= victim.size();
      victim = std::move(live.back());
      live.pop_back();
    }
    live.push_back(pool.allocate<char>(sizes(random)));
    live_bytes += live.back().size();
    peak_bytes = std::max(peak_bytes, live_bytes);
  }
  const auto told = pool.statistics();
  CHECK(static_cast<double>(told.peak_reserved_bytes) < 1.1 * static_cast<double>(peak_bytes));
  CHECK(told.fragmentation() > 0);
  CHECK(told.fragmentation() < 1);
}
