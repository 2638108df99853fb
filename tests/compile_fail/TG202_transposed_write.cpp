// A transposed store with a leading dimension known at run time.
// expect: TG202
// expect: sectors<32>
// expect: ideal_sectors<4>
// expect: through shared memory
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel =
    tg::kernel<"transposed_write">(tg::block<32, 8>, [](auto block, tg::in2<float> a, tg::out2<float> b) {
      auto x = block.global.x;
      auto y = block.global.y;
#ifdef TG_WRONG
      b(x, y) = a(y, x);
#else
  b(y, x) = a(y, x);
#endif
    });
