// Rows padded by too much.
// expect: TG201
// expect: ways<4>
// expect: pitch_words<36>
// expect: try_pitch<33>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"even_pitch">(tg::block<32>, [](auto block, tg::out<float> y) {
  auto i = block.thread.x;
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<32, 32>, tg::pitch<36>);
#else
  auto tile = tg::shared<float>(tg::shape<32, 32>, tg::pitch<33>);
#endif
  tile(0_c, i) = 0.0f;
  y(i) = tile(i, 0_c);
});
