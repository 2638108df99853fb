#include <tg/runtime/pool.hpp>
#include <tg/runtime/pool.inl>

#include <map>
#include <random>

#include "hand_written.hpp"

using tg::runtime::pool_block;
using tg::runtime::pool_memory;

namespace { constexpr std::size_t mib = std::size_t{1} << 20; }

TEST_CASE("blocks of many streams never overlap while they are in use") {
  tg::device gpu("emulator");
  for (const bool maps : {true, false}) {
    CAPTURE(maps);
    pool_memory memory(gpu.context(), {.growth_bytes = 2 * mib, .most_bytes = 64 * mib, .maps_memory = maps});
    std::vector<tg::driver::stream_handle> streams(3);
    for (auto& s : streams) gpu.context()->call(gpu.context()->api().cuStreamCreate, &s, tg::driver::stream_flag::non_blocking);
    streams.push_back(nullptr);
    std::mt19937 random(7);
    std::map<std::uint64_t, std::pair<std::uint64_t, pool_block>> live;  // begin -> end
    std::size_t refused = 0;
    for (int step = 0; step < 4000; ++step) {
      if (random() % 200 == 0) memory.trim();
      if (live.size() > 12 || (!live.empty() && random() % 3 == 0)) {
        const auto victim = std::next(live.begin(), static_cast<long>(random() % live.size()));
        const std::vector<tg::driver::stream_handle> users(random() % 3, streams[random() % 4]);
        memory.free(victim->second.second, users);
        live.erase(victim);
        continue;
      }
      const std::size_t bytes = 1 + random() % (random() % 8 == 0 ? 20 * mib : mib);
      try {
        const pool_block b = memory.allocate(bytes, streams[random() % 4], {"a.cpp", 1});
        const auto next = live.lower_bound(b.address);
        REQUIRE((next == live.end() || b.address + bytes <= next->first));
        REQUIRE((next == live.begin() || std::prev(next)->second.first <= b.address));
        live.emplace(b.address, std::pair{b.address + bytes, b});
      } catch (const tg::error& e) {
        REQUIRE(e.number() == 565);
        ++refused;
      }
      const auto told = memory.statistics();
      REQUIRE(told.live == live.size());
      REQUIRE(told.live_bytes + told.free_bytes == told.reserved_bytes);
      REQUIRE(told.reserved_bytes <= 64 * mib);
    }
    CHECK(refused > 0);
    for (const auto& [begin, one] : live) memory.free(one.second, {});
    CHECK(memory.trim() > 0);
    CHECK(memory.statistics().reserved_bytes == 0);
    for (int i = 0; i < 3; ++i)
      gpu.context()->release(gpu.context()->api().cuStreamDestroy, streams[static_cast<std::size_t>(i)]);
  }
}
