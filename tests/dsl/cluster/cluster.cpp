#include <tg/dsl/cluster/cluster.hpp>

#include "../word.hpp"

#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/memory/atomic.hpp>

using namespace tg::literals;

namespace {

constexpr auto pair = tg::block<64> | tg::cluster<2>;
constexpr auto four = tg::block<32> | tg::cluster<4>;

}  // namespace

TEST_CASE("each block of a cluster knows its rank, its place and how many there are") {
  const auto y = word::run<std::remove_const_t<decltype(four)>, unsigned>(
      [](auto block, auto, auto to) {
        const auto cluster = block.cluster();
        static_assert(decltype(cluster.size)::value == 4);
        to(block.global_index()) = cluster.rank * 100u + cluster.index.x * 10u + cluster.index.y + cluster.size * 1000u;
      },
      std::vector<unsigned>(256), 8);
  for (unsigned i = 0; i < 256; ++i) CHECK(y[i] == i / 32 % 4 * 110 + 4000);
}

TEST_CASE("the text asks for clusters and for what they need") {
  const auto lowered = tg::lower(tg::kernel<"k">(
      tg::block<64> | tg::min_blocks<1> | tg::cluster<2, 1, 2> | tg::max_registers<64>, [](auto block, tg::out<unsigned> y) {
        block.cluster().sync();
        y(block.global_index()) = block.cluster().rank;
      }));
  CHECK(lowered.ptx.find(".reqnctapercluster 2, 1, 2") != std::string::npos);
  CHECK(lowered.ptx.find(".minnctapersm 1") != std::string::npos);
  CHECK(lowered.ptx.find(".maxnreg 64") != std::string::npos);
  CHECK(lowered.module.sm == 90);
  CHECK(lowered.module.target_suffix.empty());
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
}

TEST_CASE("blocks read the tile of their neighbour") {
  const auto x = word::random_words<unsigned>(256);
  const auto y = word::run<std::remove_const_t<decltype(pair)>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<64>);
        const auto i = block.global_index();
        const auto cluster = block.cluster();
        tile(block.thread.x) = from(i);
        cluster.sync();
        to(i) = cluster.tile(tile, cluster.rank ^ 1u)(block.thread.x ^ 5u);
        cluster.sync();
      },
      x, 4);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[(i ^ 64) ^ 5]);
}

TEST_CASE("blocks write to, add to and read vectors of the tiles of others, of rank 2 and swizzled") {
  const auto x = word::random_words<unsigned>(512);
  const auto y = word::run<std::remove_const_t<decltype(pair)>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<8, 32>, tg::swizzle<3, 2, 3>);
        const auto count = tg::shared<unsigned>(tg::shape<4>);
        const auto cluster = block.cluster();
        const auto other = cluster.tile(tile, 1u - cluster.rank);
        const auto first = cluster.tile(count, 0u);
        const auto t = block.thread.x;
        tg::if_(t < 4u, [&] { count(t) = 0u; });
        cluster.sync();
        tg::unroll<4>([&](auto k) {
          const auto at = t + k * 64_c;
          other(at / 32_c, at % 32_c) = from(block.index.x * 256_c + at);
        });
        (void)tg::atomic_add(first(1_c), 1u);
        const auto come = cluster.arrive();
        come.wait();
        const auto four = other.template vec<4>(t / 8_c, t % 8_c * 4_c).get();
        to.template vec<4>(block.index.x * 256_c + t * 4_c) = tg::map([&](auto v) { return v + first(1_c).get(); }, four);
        cluster.sync();
      },
      x, 2);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i] + 128);
}

TEST_CASE("a barrier that is missing between the blocks is found by the emulator") {
  const auto run = [] {
    (void)word::run<std::remove_const_t<decltype(pair)>, unsigned>(
        [](auto block, auto from, auto to) {
          const auto tile = tg::shared<unsigned>(tg::shape<64>);
          const auto i = block.global_index();
          const auto cluster = block.cluster();
          cluster.sync();
          tile(block.thread.x) = from(i);
          to(i) = cluster.tile(tile, cluster.rank ^ 1u)(block.thread.x);
          cluster.sync();
        },
        word::random_words<unsigned>(128), 2);
  };
  word::check_is_objected(run);
}

TEST_CASE("without tg::cluster at the block, sizes that a cluster has, orders that its barrier has") {
  static_assert(decltype(pair)::threads == 64);
  static_assert(tg::detail::cluster_shape_of<std::remove_const_t<decltype(four)>>.x == 4);
}

TEST_CASE("a block that the cluster does not have is refused where its number is known") {
  const auto record = [](unsigned rank) {
    (void)tg::lower(tg::kernel<"k">(pair, [rank](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
      const auto tile = tg::shared<unsigned>(tg::shape<64>);
      tile(block.thread.x) = x(block.thread.x);
      block.cluster().sync();
      y(block.global_index()) = block.cluster().tile(tile, rank)(block.thread.x);
      block.cluster().sync();
    }));
  };
  CHECK_NOTHROW(record(1));
  CHECK_THROWS_WITH_AS(record(2), doctest::Contains("TG154"), tg::error);
}
