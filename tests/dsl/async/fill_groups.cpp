#include <tg/dsl/async/fill_groups.hpp>

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

/// y = the sum over x in tiles of 32, by a ring of any depth.
template <int Stages> float sum_through_ring(unsigned tiles) {
  const auto kernel =
      tg::kernel<"ring">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> tiles) {
        auto ring = tg::stages<float, Stages>(tg::shape<1, 32>);
        const auto fetch = [&](const auto& part) {
          tg::async_copy_or_zero(ring.fill(part % tg::constant<Stages>{})(0_c, block.thread.x), x(part * 32_c + block.thread.x),
                                 tiles > part);
        };
        tg::var<float> sum = 0.0f;
        auto rest = tg::for_groups(tg::range(tiles), tg::fill_groups<Stages - 1>(fetch), [&](auto part, auto groups) {
          auto ready = groups.wait(tg::constant<Stages - 2>{});
          block.sync();
          sum += ring.read(ready, part % tg::constant<Stages>{})(0_c, block.thread.x);
          fetch(part + tg::constant<Stages - 1>{});
          return ready.commit();
        });
        (void)rest.wait();
        y(block.thread.x) = sum;
      });
  std::vector<float> x(32 * tiles), y(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 100);
  word::launch(tg::lower(kernel).ptx, 1, x, y, tiles);
  float worst = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    float sum = 0;
    for (std::size_t part = 0; part < tiles; ++part) sum += x[32 * part + lane];
    worst = std::max(worst, std::abs(y[lane] - sum));
  }
  return worst;
}

}  // namespace

TEST_CASE("a ring of any depth is filled ahead") {
  CHECK(sum_through_ring<2>(7) == 0);
  CHECK(sum_through_ring<3>(7) == 0);
  CHECK(sum_through_ring<5>(7) == 0);
  CHECK(sum_through_ring<5>(2) == 0);
}

TEST_CASE("each group is committed after its copies, and all are under way") {
  std::string order;
  const auto r = recording::of<tg::block_t<32>>([&](auto, recording::parameters) {
    auto filled = tg::fill_groups<3>([&](auto stage) { order += std::to_string(stage.value); });
    static_assert(std::is_same_v<decltype(filled), tg::async_groups<3>>);
  });
  CHECK(order == "012");
  CHECK(r.text == "cp.async.commit_group cp.async.commit_group cp.async.commit_group");
}
