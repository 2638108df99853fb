#include <tg/dsl/proof/analyze.hpp>

#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

#include "planted.hpp"

using planted::check_proved, planted::check_refuted, planted::check_unknown;
using tg::question;
using namespace tg::literals;

TEST_CASE("a product of a warpgroup reads its tiles until it is waited for, behind a fence and a barrier") {
  using group = tg::block_t<128>;
  enum { clean, no_fence, no_barrier, fence_behind_barrier, too_early, half_of_tile };
  const auto product = [](int fault) {
    return [fault](auto b, auto x, auto y, auto...) {
      auto tile = tg::shared<unsigned>(tg::shape<2, 64, 4>);
      tg::unroll<4>([&](auto k) {
        if (fault == half_of_tile && k >= 2) return;
        const auto i = b.thread.x + k * 128_c;
        tile(i / 256_c, i / 4_c % 64_c, i % 4_c, tg::allow<tg::TG201>("a test")) = tg::bit_cast<unsigned>(x(b.thread.x));
      });
      if (fault != no_fence && fault != fence_behind_barrier) tg::fence_async_proxy();
      if (fault != no_barrier) b.sync();
      if (fault == fence_behind_barrier) tg::fence_async_proxy();
      tg::group_accumulator<64, 64, float> sum = 0.0f;
      auto flight = tg::wgmma(std::move(sum), tg::k_major<tg::tf32>(tile), tg::k_major<tg::tf32>(tile));
      if (fault == too_early) tile(0_c, b.thread.x / 4_c, b.thread.x % 4_c) = 1u;
      y(b.thread.x) = flight.wait()(0);
    };
  };
  check_proved<group>(product(clean));
  check_refuted<group>(question::async_copy, 0, 0, product(no_fence));
  check_refuted<group>(question::async_copy, 0, 0, product(fence_behind_barrier));
  check_refuted<group>(question::async_copy, 0, 0, product(too_early));
  check_refuted<group>(question::initialized, 0, 0, product(half_of_tile));
  const auto unmet = planted::analyze<group>(product(no_barrier));
  CHECK_FALSE(unmet.refuted().empty());
}

TEST_CASE("of other blocks' tiles races are neither proved nor refuted") {
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
