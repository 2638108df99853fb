#include <tg/runtime/pool_backing.hpp>

#include "hand_written.hpp"

using tg::driver::result;
using tg::runtime::address_range;
using tg::runtime::pool_backing;

namespace { constexpr std::size_t mib = std::size_t{1} << 20; }

TEST_CASE("mapped pieces lie one after the other and their gaps are filled when the addresses run out") {
  static std::size_t total;
  total = 4 * mib;
  auto api = hand_written::gpu_table();
  api.cuDeviceTotalMem = [](std::size_t* bytes, tg::driver::device_id) {
    *bytes = total;
    return result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  pool_backing backing(gpu.context(), true);
  REQUIRE(backing.is_mapped());
  CHECK(backing.reserved().bytes == 8 * mib);
  CHECK(backing.round_up(1) == 2 * mib);
  address_range a, b, c, d;
  REQUIRE(backing.grow(2 * mib, a) == result::success);
  REQUIRE(backing.grow(3 * mib, b) == result::success);
  CHECK(a.begin == backing.reserved().begin);
  CHECK(b == address_range{a.end(), 4 * mib});
  CHECK(backing.bytes() == 6 * mib);
  CHECK(backing.grow(4 * mib, c) == result::out_of_memory);
  backing.release(a);
  CHECK(backing.bytes() == 4 * mib);
  REQUIRE(backing.grow(2 * mib, c) == result::success);
  CHECK(c.begin == b.end());
  REQUIRE(backing.grow(2 * mib, d) == result::success);
  CHECK(d == a);
  CHECK(backing.pieces() == std::vector<address_range>{d, b, c});
}

TEST_CASE("without mapping each piece is an allocation of the driver") {
  tg::device gpu("emulator");
  const auto before = gpu.memory_info().free_bytes;
  {
    pool_backing backing(gpu.context(), false);
    CHECK_FALSE(backing.is_mapped());
    address_range a;
    REQUIRE(backing.grow(1, a) == result::success);
    CHECK(a.bytes == 2 * mib);
    CHECK(gpu.memory_info().free_bytes == before - 2 * mib);
    CHECK(backing.grow(gpu.memory_info().total_bytes, a) == result::out_of_memory);
  }
  CHECK(gpu.memory_info().free_bytes == before);
}
