#include <tg/dsl/memory/sized_tile.hpp>

#include "../recording.hpp"

using namespace tg::literals;
using recording::parameters;

TEST_CASE("a tile of run-time size is read and written in shared memory") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters p) {
    auto tile = tg::shared<float>(p.n);
    tile(block.thread.x) = 1.0f;
    (void)tile.vec<4>(4_c * block.thread.x);
  });
  REQUIRE(r.accesses.size() == 3);  // a store to an element has the access of its read before it
  CHECK(r.accesses[1].is_shared);
  CHECK(r.accesses[1].shared.wavefronts == 1);
  CHECK(r.accesses[2].shared.wavefronts == 4);
  CHECK(r.accesses[2].shared.good);
}

TEST_CASE("columns are free of conflicts where the contract of the rows says so") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters p) {
    auto tile = tg::shared<float, tg::remainder<32, 1>>(32u, p.n);
    auto by_twos = tg::shared<double, tg::remainder<16, 1>>(p.n, p.n);
    tile(0_c, block.thread.x) = 1.0f;
    (void)tile(block.thread.x, 3_c);
    (void)by_twos(block.thread.x, 3_c);
  });
  REQUIRE(r.accesses.size() == 4);
  for (const auto& a : r.accesses) CHECK(a.shared.good);
  CHECK(r.accesses[2].shared.wavefronts == 1);
  CHECK(r.accesses[3].shared.wavefronts == 2);
}

TEST_CASE("columns conflict where the rows are whole turns around the banks") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, parameters p) {
    auto tile = tg::shared<float, tg::multiple_of<32>>(32u, p.n);
    (void)tile(block.thread.x, 3_c, tg::allow<tg::TG201>("counted here"));
    (void)tile(block.thread.x / 8_c, block.thread.x % 8_c, tg::allow<tg::TG201>("counted here"));
  });
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[0].shared.ways == 32);
  CHECK(r.accesses[1].shared.ways == 4);
}

TEST_CASE("sized tiles know their rank and cost as types") {
  using tile = tg::sized_tile<float, 2, tg::remainder<32, 1>>;
  using x = decltype(std::declval<tg::block_handle<tg::block_t<32>>>().thread.x);
  static_assert(tile::rank == 2 && tile::element_bytes == 4);
  using found = tg::detail::shared_judgement<tile, 1, tg::detail::checked, x, tg::constant<0>>::type;
  static_assert(std::is_same_v<found, tg::diagnosis::none>);
  CHECK(tile::rank == 2);
}
