// Instructions that all lanes of a warp run together, of which some lanes do not come.
#include "planted.hpp"

#include <tg/dsl/matrix/load_matrix.hpp>
#include <tg/dsl/matrix/store_matrix.hpp>
#include <tg/dsl/warp/elect.hpp>

using planted::check_proved;
using planted::check_refuted;
using tg::question;
using namespace tg::literals;

namespace {

using block64 = tg::block_t<64>;

/// `instruction(block, tile, u)` by the threads below 5, and by whole warps.
template <class Instruction> void check(Instruction instruction) {
  const auto kernel = [=](auto end) {
    return [=](auto block, auto, auto y, auto u, auto...) {
      const auto tile = tg::shared<unsigned>(tg::shape<64, 4>);
      tg::unroll<4>([&](auto c) { tile(block.thread.x, c, tg::allow<tg::TG201>("rows of 16 bytes")) = 1u; });
      block.sync();
      tg::if_(block.thread.x < end, [&] { instruction(block, tile, u); });
      y(block.thread.x) = 1.0f;
    };
  };
  constexpr auto q = question::barrier;
  check_refuted<block64>(q, 0, 0, kernel(5u));
  check_proved<block64>(kernel(32u));
  check_proved<block64>(kernel(64u));
}

}  // namespace

TEST_CASE("loads and stores of matrices by part of a warp") {
  check([](auto block, const auto& tile, auto u) { u(block.thread.x) = tg::load_matrix<4>(tile, block.thread.x, 0_c)(0_c); });
  check([](auto block, const auto& tile, auto) {
    const auto v = tg::let(block.thread.x);
    tg::store_matrix(tile, block.thread.x, 0_c, tg::make_vec(v, v, v, v));
  });
}

TEST_CASE("an election in part of a warp") {
  check([](auto block, const auto&, auto u) { tg::if_(tg::elect(block.warp()), [&] { u(block.thread.x) = 1u; }); });
}

TEST_CASE("rows that lanes wrote are loaded by others: the warp meets in between, and its barrier is not redundant") {
  const auto kernel = [](auto meet) {
    return [=](auto block, auto, auto, auto u, auto...) {
      const auto tile = tg::shared<unsigned>(tg::shape<32, 4>);
      tg::unroll<4>([&](auto c) { tile(block.thread.x, c, tg::allow<tg::TG201>("rows of 16 bytes")) = 1u; });
      meet(block);
      u(block.thread.x) = tg::load_matrix<4>(tile, block.thread.x, 0_c)(0_c);
    };
  };
  using warp = tg::block_t<32>;
  planted::check_unknown<warp>(question::shared_race, kernel([](auto) {}));
  check_proved<warp>(kernel([](auto block) { block.warp().sync(); }));
  const auto met = planted::analyze<warp>(kernel([](auto block) { block.sync(); }));
  CHECK(met.unknown().empty());
  CHECK(met.redundant_barriers().empty());
}
