// A pool under failing calls of the driver, from several threads, and over many random allocations.
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
