// Rows that overlap.
// expect: TG123
// expect: pitch_t<16>
// expect: at least the row length
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"narrow_pitch">(tg::block<32>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<8, 32>, tg::pitch<16>);
#else
  auto tile = tg::shared<float>(tg::shape<8, 32>, tg::pitch<33>);
#endif
  tile(0_c, block.thread.x) = 0.0f;
  y(block.thread.x) = tile(0_c, block.thread.x);
});
