// A stage is read whose copies may still be under way.
// expect: TG146
// expect: stage_of_age<1>
// expect: landed_groups<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/stages.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"stage_under_way">(tg::block<32>, [](auto block, tg::out<float> y) {
  auto ring = tg::stages<float, 2>(tg::shape<1, 32>);
  tg::async_groups start;
  auto one = start.commit();
  auto two = one.commit();
  auto ready = two.wait(1_c);
  block.sync();
#ifdef TG_WRONG
  y(block.thread.x) = ring.read(ready, 1_c, 1_c)(0_c, block.thread.x);
#else
  y(block.thread.x) = ring.read(ready, 0_c)(0_c, block.thread.x);
#endif
});
