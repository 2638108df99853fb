#include <tg/tile/steps.hpp>

#include <array>
#include <vector>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

/// Which step is taken at each turn, all turns of a length of `length` in steps of 32 with inner steps from `begin` to `end`:
/// first so many inner ones as have a loop of their own (`inner`), then the others.
constexpr auto turns =
    tg::kernel<"turns">(tg::block<32>, [](auto block, tg::out<unsigned> at, tg::out<unsigned> counts,
                                          tg::scalar<unsigned> length, tg::scalar<unsigned> begin, tg::scalar<unsigned> end) {
      const auto steps = tg::steps(length, 32_c).with_inner(begin, end);
      const tg::detail::step_number inner = steps.inner_count<3>();
      tg::if_(block.thread.x == 0u, [&] {
        counts(0_c) = steps.count();
        counts(1_c) = inner;
        tg::for_(tg::range(steps.count()), [&](auto turn) { at(turn) = steps.at({turn.operand}, inner); });
      });
    });

}  // namespace

TEST_CASE("each step is taken once, the inner ones first") {
  tg::device gpu;
  for (const auto& one : {std::array{320u, 0u, 320u},
                          {320u, 64u, 300u},
                          {319u, 33u, 257u},
                          {1u, 0u, 1u},
                          {0u, 0u, 0u},
                          {640u, 96u, 96u},
                          {640u, 400u, 100u},
                          {97u, 0u, 1000u}}) {
    const unsigned length = one[0], begin = one[1], end = one[2];
    CAPTURE(length);
    CAPTURE(begin);
    CAPTURE(end);
    const unsigned count = (length + 31) / 32;
    auto at = gpu.upload(std::vector<unsigned>(count + 1, 999u)), counts = gpu.upload(std::vector<unsigned>(2, 999u));
    gpu.launch(turns, tg::grid(1), at, counts, length, begin, end);
    const std::vector<unsigned> found = at.to_host(), all = counts.to_host();
    CHECK(all[0] == count);
    const unsigned inner = all[1];
    CHECK(inner % 3 == 0);
    std::vector<unsigned> seen(count);
    unsigned lost = 0;
    for (unsigned t = 0; t < count; ++t) {
      REQUIRE(found[t] < count);
      ++seen[found[t]];
      if (t < inner && (found[t] * 32 < begin || found[t] * 32 + 32 > end)) ++lost;
    }
    CHECK(lost == 0);
    for (unsigned s = 0; s < count; ++s) CHECK(seen[s] == 1);
    CHECK(found[count] == 999);
  }
}
