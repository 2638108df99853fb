// One index for a tile of rank 2.
// expect: TG116
// expect: given_count<1>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"one_index_of_tile">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto tile = tg::shared<float>(tg::shape<4, 256>);
#ifdef TG_WRONG
  tile(block.thread.x) = 0.0f;
#else
  tile(0_c, block.thread.x) = 0.0f;
#endif
  y(block.global_index()) = tile(0_c, block.thread.x);
});
