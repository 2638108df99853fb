#include <tg/dsl/proof/analyze.hpp>

#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

#include "planted.hpp"

using planted::check_unknown;
using tg::question;
using namespace tg::literals;

TEST_CASE("of products of warpgroups and of other blocks' tiles races are neither proved nor refuted") {
  using group = tg::block_t<128>;
  const auto product = [](bool waits) {
    return [waits](auto b, auto x, auto y, auto...) {
      auto tile = tg::shared<unsigned>(tg::shape<2, 64, 4>);
      tg::unroll<4>([&](auto k) {
        const auto i = b.thread.x + k * 128_c;
        tile(i / 256_c, i / 4_c % 64_c, i % 4_c, tg::allow<tg::TG201>("a test")) = tg::bit_cast<unsigned>(x(b.thread.x));
      });
      tg::fence_async_proxy();
      b.sync();
      tg::group_accumulator<64, 64, float> sum = 0.0f;
      auto flight = tg::wgmma(std::move(sum), tg::k_major<tg::tf32>(tile), tg::k_major<tg::tf32>(tile));
      if (!waits) tile(0_c, b.thread.x / 4_c, b.thread.x % 4_c) = 1u;
      y(b.thread.x) = flight.wait()(0);
    };
  };
  check_unknown<group>(question::shared_race, product(true));
  check_unknown<group>(question::shared_race, product(false));

  using pair = tg::clustered_block<tg::block_t<64>, tg::cluster_t<2>>;
  check_unknown<pair>(question::shared_race, [](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<64>);
    const auto cluster = b.cluster();
    cluster.tile(tile, cluster.rank ^ 1u)(b.thread.x) = x(b.thread.x);
    y(b.thread.x) = tile(b.thread.x);
  });
}

TEST_CASE("a branch that other blocks of the cluster may not take keeps its barrier unknown") {
  using pair = tg::clustered_block<tg::block_t<64>, tg::cluster_t<2>>;
  const auto barriers = [](auto statements) {
    const auto a = planted::analyze<pair>(statements);
    INFO(a.text());
    CHECK(a.refuted().empty());
    return a.barriers_met();
  };
  CHECK(barriers([](auto b, auto...) { b.cluster().sync(); }));
  CHECK_FALSE(barriers([](auto b, auto...) { tg::if_(b.index.x == 0u, [&] { b.cluster().sync(); }); }));
}
