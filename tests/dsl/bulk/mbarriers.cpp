#include <tg/dsl/bulk/mbarriers.hpp>

#include "../word.hpp"

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

namespace {

using one_warp = tg::block_t<32, 1, 1>;
using two_warps = tg::block_t<64, 1, 1>;
using pair = std::remove_const_t<decltype(tg::block<32> | tg::cluster<2>)>;

// Records a kernel of one barrier. Returns: what was thrown.
template <class Statements> std::string refusal(Statements statements) {
  try {
    (void)tg::lower(tg::kernel<"k">(tg::block<32>, [statements](auto block, tg::out<unsigned> y) {
      auto barriers = tg::mbarriers<2>(block, 1);
      block.sync();
      statements(block, barriers);
      y(block.thread.x) = 1u;
    }));
  } catch (const tg::error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("threads that arrive let those go on that wait, phase by phase") {
  const auto x = word::random_words<unsigned>(128);
  const auto y = word::run<two_warps, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<64>);
        auto met = tg::mbarriers<1>(block, 64_c);
        block.sync();
        const auto i = block.global_index();
        const auto t = block.thread.x;
        auto first = met.phase(0_c);
        tile(t) = from(i);
        met.arrive(0);
        auto second = first.wait();
        const auto other = tg::let(tile(t ^ 33u));
        met.arrive(0);
        auto third = second.wait();
        tile(t) = other * 3u;
        met.arrive(0);
        (void)third.wait();
        to(i) = tile(t ^ 33u);
      },
      x, 2);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[i] * 3);
}

TEST_CASE("several barriers, each with phases of its own, and a question in place of a wait") {
  const auto x = word::random_words<unsigned>(32);
  const auto y = word::run<one_warp, unsigned>(
      [](auto block, auto from, auto to) {
        auto barriers = tg::mbarriers<3>(block, 32u);
        block.sync();
        const auto early = barriers.phase(2_c);
        auto own = barriers.phase(1_c);
        barriers.arrive(1);
        auto next = own.wait();
        const auto is_early = early.is_over(), is_next = next.is_over();
        barriers.arrive(1_c);
        (void)next.wait();
        barriers.arrive(2u);
        to(block.thread.x) = tg::select(is_early || is_next, 0u, from(block.thread.x));
        block.sync();
        tg::if_(block.thread.x == 0u, [&] { barriers.invalidate(); });
      },
      x);
  CHECK(y == x);
}

TEST_CASE("blocks of a cluster arrive at each other's barriers") {
  const auto x = word::random_words<unsigned>(128);
  const auto y = word::run<pair, unsigned>(
      [](auto block, auto from, auto to) {
        const auto cluster = block.cluster();
        const auto tile = tg::shared<unsigned>(tg::shape<32>);
        auto come = tg::mbarriers<1>(block, 32_c);
        cluster.sync();
        auto phase = come.phase(0_c);
        cluster.tile(tile, cluster.rank ^ 1u)(block.thread.x) = from(block.global_index());
        come.arrive_in(cluster.rank ^ 1u, 0u);
        (void)phase.wait();
        to(block.global_index()) = tile(block.thread.x ^ 1u);
        cluster.sync();
      },
      x, 4);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == x[(i ^ 32) ^ 1]);
}

TEST_CASE("phases that are waited for twice, in a loop, or asked for again are refused") {
  const auto twice = refusal([](auto, auto& b) {
    auto p = b.phase(0_c);
    (void)p.wait();
    (void)p.wait();
  });
  CHECK(twice.find("TG147") != twice.npos);
  CHECK(twice.find("waited for twice") != twice.npos);
  const auto looped = refusal([](auto, auto& b) {
    auto p = b.phase(0_c);
    tg::for_(tg::range(4u), [&](auto) { (void)p.wait(); });
  });
  CHECK(looped.find("first turn of this loop") != looped.npos);
  const auto asked = refusal([](auto, auto& b) { tg::for_(tg::range(4u), [&](auto) { (void)b.phase(0_c).wait(); }); });
  CHECK(asked.find("first turn of this loop") != asked.npos);
  const auto made = refusal([](auto block, auto& b) {
    b.arrive(0);
    tg::for_(tg::range(4u), [&](auto) { (void)tg::mbarriers<1>(block, 1); });
  });
  CHECK(made.find("TG147") != made.npos);
  const auto again = refusal([](auto, auto& b) {
    (void)b.phase(1_c);
    (void)b.phase(1_c);
  });
  CHECK(again.find("given before") != again.npos);
  const auto outside = refusal([](auto, auto& b) { b.arrive(2); });
  CHECK(outside.find("TG147") != outside.npos);
  const auto none = [] {
    (void)tg::lower(tg::kernel<"k">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
      (void)tg::mbarriers<1>(block, 0);
      y(block.thread.x) = 1u;
    }));
  };
  CHECK_THROWS_AS(none(), tg::error);
  const auto clean = refusal([](auto block, auto& b) {
    auto p = b.phase(0_c);
    tg::if_(block.thread.x == 0u, [&] { b.arrive(0); });
    auto q = p.wait();
    tg::if_(block.thread.x == 0u, [&] { b.arrive(0); });
    (void)q.wait();
  });
  CHECK(clean == "");
}

TEST_CASE("the emulator says who waits for an arrival that never comes") {
  const auto run = [] {
    (void)word::run<two_warps, unsigned>(
        [](auto block, auto from, auto to) {
          auto met = tg::mbarriers<1>(block, 65_c);
          block.sync();
          auto phase = met.phase(0_c);
          met.arrive(0);
          (void)phase.wait();
          to(block.thread.x) = from(block.thread.x);
        },
        word::random_words<unsigned>(64));
  };
  word::check_is_objected(run);
}
