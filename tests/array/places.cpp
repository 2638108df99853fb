#include <tg/array/places.hpp>

#include "arrays.hpp"

TEST_CASE("rows that are more than 2^31 bytes apart") {
  tg::device gpu;
  constexpr std::int64_t apart = (std::int64_t{1} << 31) + 64;
  tg::array<std::int8_t, 1> memory(gpu, {apart + 300});
  tg::detail::array_leaf<std::int8_t, 2> leaf{{}, memory.node().memory, memory.context(), memory.native(), {2, 300}, {}};
  leaf.strides = tg::array_shape<2>{apart, std::int64_t{1}};
  const tg::array_view<std::int8_t, 2> rows(leaf);
  rows = tg::cast<std::int8_t>(tg::index_of<0>(rows) * 20 + tg::index_of<1>(rows) % 100);
  CHECK(memory(apart + 7).item() == 27);
  CHECK(memory(299).item() == 99);
  const tg::array<int, 1> sums = tg::sum<1>(rows);
  CHECK(sums.to_host() == std::vector<int>{3 * 4950, 3 * 4950 + 6000});
}
