// A column read from an unpadded tile.
// expect: TG201
// expect: ways<32>
// expect: pitch_words<32>
// expect: try_pitch<33>
// expect: try_swizzle<5, 0, 5>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

inline constexpr auto kernel =
    tg::kernel<"column_read">(tg::block<32, 32>, [](auto block, tg::in2<float> a, tg::out2<float> b) {
      auto x = block.thread.x;
      auto y = block.thread.y;
      auto tile = tg::shared<float>(tg::shape<32, 32>);
      tile(y, x) = a(y, x);
      block.sync();
#ifdef TG_WRONG
      b(y, x) = tile(x, y);
#else
  b(y, x) = tile(y, x);
#endif
    });
