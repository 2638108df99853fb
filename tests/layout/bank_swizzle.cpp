#include <tg/layout/bank_swizzle.hpp>

#include <random>

#include <doctest/doctest.h>

#include <tg/analysis/shared.hpp>

namespace {

/// The ways of one request by a walk over its lanes.
int walked_ways(const tg::lane_access& access, const tg::bank_swizzle& swizzle) {
  tg::analysis::request request;
  request.access_bytes = access.bytes;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::uint32_t address = 0;
    for (std::size_t b = 0; b < 5; ++b)
      if (lane >> b & 1) address ^= access.lanes[b];
    request.address_bytes[lane] = swizzle(address);
  }
  return tg::analysis::count_shared(request).ways;
}

/// Lanes that go to different bits of an address of `bits` bits, in any order.
tg::lane_access random_access(std::mt19937& random, int bits) {
  tg::lane_access out;
  out.bytes = 1 << (2 + random() % 3);
  std::uint32_t taken = static_cast<std::uint32_t>(out.bytes) - 1;
  for (auto& lane : out.lanes) {
    do lane = std::uint32_t{1} << (random() % static_cast<unsigned>(bits));
    while ((taken & lane) != 0);
    taken |= lane;
  }
  return out;
}

}  // namespace

// Rows are written and columns read of 32 x 32 words.
static_assert(tg::find_bank_swizzle({{4, 8, 16, 32, 64}, 4}, {{128, 256, 512, 1024, 2048}, 4}, 12).terms() == 5);

TEST_CASE("swizzles that are found free both accesses, as a walk over lanes counts") {
  std::mt19937 random(17);
  int found = 0, changed = 0;
  for (int n = 0; n < 2000; ++n) {
    const int bits = 12 + static_cast<int>(random() % 3);
    const tg::lane_access store = random_access(random, bits), load = random_access(random, bits);
    const tg::bank_swizzle swizzle = tg::find_bank_swizzle(store, load, bits);
    for (const auto& access : {store, load}) CHECK(access.is_free(swizzle) == (walked_ways(access, swizzle) == 1));
    found += store.is_free(swizzle) && load.is_free(swizzle);
    changed += swizzle.terms() != 0;
  }
  CHECK(found > 1000);
  CHECK(changed > 1000);
}

TEST_CASE("a swizzle without one of its terms is found out") {
  const tg::lane_access rows{{4, 8, 16, 32, 64}, 4}, columns{{128, 256, 512, 1024, 2048}, 4};
  tg::bank_swizzle swizzle = tg::find_bank_swizzle(rows, columns, 12);
  CHECK(walked_ways(columns, swizzle) == 1);
  swizzle.mask[9] = 0;
  CHECK_FALSE(columns.is_free(swizzle));
  CHECK(walked_ways(columns, swizzle) == 2);
}
