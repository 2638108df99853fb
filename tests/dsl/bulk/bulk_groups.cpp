#include <tg/dsl/bulk/bulk_groups.hpp>

#include "../word.hpp"

#include <tg/dsl/bulk/bulk_store.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/value/uniform.hpp>

using namespace tg::literals;

namespace {

using one_warp = tg::block_t<32, 1, 1>;

// Parts of 64 numbers go through two tiles; `Left` of two groups may still read when a tile is written again.
template <long long Left> std::vector<unsigned> through_two_tiles(const std::vector<unsigned>& x) {
  return word::run<one_warp, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tiles = tg::stages<unsigned, 2>(tg::shape<1, 64>);
        const auto write = [&](const auto& k) {
          tg::unroll<2>([&](auto half) {
            const auto i = block.thread.x + half * 32_c;
            tiles.fill(k % 2_c)(0_c, i) = from(k * 64_c + i) + 7u;
          });
          tg::fence_async_proxy();
          block.warp().sync();
        };
        const auto send = [&](const auto& k) { tg::bulk_store(to, k * 64_c, tiles.fill(k % 2_c)); };
        // Every thread counts groups, and one of them has copies in them.
        const auto is_first = block.thread.x == 0u;
        write(tg::uniform(0u));
        tg::if_(is_first, [&] { send(tg::uniform(0u)); });
        auto one = tg::bulk_groups<>().commit();
        write(tg::uniform(1u));
        tg::if_(is_first, [&] { send(tg::uniform(1u)); });
        auto rest = tg::for_groups(tg::range(2u, 10u), one.commit(), [&](auto k, auto groups) {
          auto read = groups.wait_read(tg::constant<Left>{});
          block.warp().sync();
          write(k);
          tg::if_(is_first, [&] { send(k); });
          return read.commit().wait(2_c);
        });
        (void)rest.wait();
      },
      x, 1);
}

}  // namespace

TEST_CASE("tiles are written again once their groups have read them") {
  const auto x = word::random_words<unsigned>(640);
  const auto y = through_two_tiles<1>(x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i] + 7);
}

TEST_CASE("a state that is left twice is refused") {
  const auto record = [] {
    (void)tg::lower(tg::kernel<"k">(tg::block<32>, [](auto, tg::out<unsigned> y) {
      const auto tile = tg::shared<unsigned>(tg::shape<32>);
      tg::bulk_store(y, 0u, tile);
      auto one = tg::bulk_groups<>().commit();
      (void)one.wait_read();
      (void)one.wait();
    }));
  };
  CHECK_THROWS_AS(record(), tg::error);
}

TEST_CASE("states say how many groups may still write and read") {
  using two = tg::bulk_groups<2, 2>;
  static_assert(std::is_same_v<decltype(std::declval<two>().wait_read(1_c)), tg::bulk_groups<2, 1>>);
  static_assert(std::is_same_v<decltype(std::declval<two>().wait(1_c)), tg::bulk_groups<1, 1>>);
  static_assert(std::is_same_v<decltype(std::declval<tg::bulk_groups<2, 0>>().wait(1_c)), tg::bulk_groups<1, 0>>);
  static_assert(std::is_same_v<decltype(std::declval<two>().commit()), tg::bulk_groups<3, 3>>);
}
