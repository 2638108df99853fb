#include <tg/emulator/block/even_values.hpp>

#include <doctest/doctest.h>

#include <array>

namespace em = tg::emulator;

namespace {

/// The values of a sample of one block of 8 x 4 threads, or of two.
template <class Value> em::even_values values_of(const std::array<std::uint32_t, 32>& lanes, std::uint32_t blocks = 1) {
  em::even_values v{};
  std::array<std::uint32_t, 64> sample{};
  std::copy(lanes.begin(), lanes.end(), sample.begin());
  em::take_values<Value>(v, reinterpret_cast<const std::byte*>(sample.data()), blocks, {7, 3, 0});
  return v;
}

}  // namespace

TEST_CASE("the extremes of evenly spaced values lie at the corners of a block") {
  const em::even_values v = values_of<std::int32_t>({100, 104, 90, 100});  // steps of 4 along x, -10 along y
  REQUIRE(v.is_exact);
  CHECK(v.base[0] == 100);
  CHECK(v.dx == 4);
  CHECK(v.dy == -10);
  CHECK(v.lowest == 70);
  CHECK(v.highest == 128);
  CHECK_FALSE(v.is_uniform());
  CHECK((v.any_bits & 1) == 0);
  CHECK(values_of<std::int32_t>({7, 7, 7, 7}).is_uniform());
}

TEST_CASE("blocks with other steps have no common values, and others have") {
  CHECK(values_of<std::uint32_t>({0, 4, 0, 0, 100, 104, 100, 100}, 2).is_exact);
  CHECK(values_of<std::uint32_t>({0, 4, 0, 0, 100, 104, 100, 100}, 2).highest == 128);
  CHECK_FALSE(values_of<std::uint32_t>({0, 4, 0, 0, 100, 105, 100, 100}, 2).is_exact);
}

TEST_CASE("numbers whose sums may wrap are not moderate") {
  CHECK(em::is_moderate(em::most_moderate - 1));
  CHECK_FALSE(em::is_moderate(em::most_moderate));
  CHECK_FALSE(em::is_moderate(-em::most_moderate));
}
