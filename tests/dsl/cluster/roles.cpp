#include <tg/dsl/cluster/roles.hpp>

#include "../word.hpp"

#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

TEST_CASE("warps in roles: the first ones fetch, the others compute") {
  const auto x = word::random_words<unsigned>(256);
  const auto y = word::run<tg::block_t<128>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<96>);
        const auto full = tg::barrier<1>(block, 128_c);
        tg::roles(block, tg::warp_role<1>([&](auto role) {
                    tg::unroll<3>([&](auto k) {
                      const auto at = role.thread + k * 32_c;
                      tile(at) = from(block.index.x * 128_c + at);
                    });
                    role.sync();
                    full.arrive();
                  }),
                  tg::warp_role<3>([&](auto role) {
                    static_assert(decltype(role)::threads == 96);
                    full.sync();
                    to(block.index.x * 128_c + role.thread) = tile(role.thread) + role.warp().index;
                    role.sync();
                  }));
      },
      x, 2);
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned t = 0; t < 96; ++t) CHECK(y[128 * b + t] == x[128 * b + t] + t / 32);
}

TEST_CASE("warpgroups give back and ask for registers") {
  constexpr auto shape = tg::block<384> | tg::min_blocks<1>;
  const auto lowered = tg::lower(tg::kernel<"k">(shape, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
    tg::roles(block, tg::warpgroup_role<1, 40>([&](auto role) { y(role.thread) = x(role.thread) + 1u; }),
              tg::warpgroup_role<2, 232>(
                  [&](auto role) { y(role.thread + 128_c) = x(role.thread + 128_c) + role.warpgroup().index * 2u; }));
  }));
  INFO(lowered.ptx);
  CHECK(lowered.ptx.find("setmaxnreg.dec.sync.aligned.u32 40;") != std::string::npos);
  CHECK(lowered.ptx.find("setmaxnreg.inc.sync.aligned.u32 232;") != std::string::npos);
  CHECK(lowered.module.target_suffix == "a");
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  std::vector<unsigned> x = word::random_words<unsigned>(384), y(384);
  word::launch(lowered.ptx, 1, x, y);
  for (unsigned t = 0; t < 384; ++t) CHECK(y[t] == x[t] + (t < 128 ? 1 : t < 256 ? 0 : 2));
}

TEST_CASE("a barrier or a vote of the block within a role is refused, with its line") {
  const auto check = [](const auto& meet, int line) {
    try {
      (void)tg::lower(tg::kernel<"k">(tg::block<64>, [meet](auto block, tg::out<unsigned> y) {
        tg::roles(block, tg::warp_role<1>([&](auto role) {
                    y(role.thread) = 1u;
                    meet(block, y);
                  }),
                  tg::warp_role<1>([&](auto role) { y(role.thread + 32_c) = 2u; }));
      }));
      CHECK(false);
    } catch (const tg::error& e) {
      CHECK(e.number() == 199);
      CHECK(e.where().line == line);
    }
  };
  check([](auto block, auto&) { block.sync(); }, __LINE__);
  check([](auto block, auto& y) { y(block.thread.x) = tg::block_count(block, block.thread.x > 3u); }, __LINE__);
}
