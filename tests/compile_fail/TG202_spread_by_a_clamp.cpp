// The elements of a warp lie side by side while no lane is at the bound, and 32 apart when all are.
// expect: TG202
// expect: sectors<32>
// expect: ideal_sectors<4>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/math/math.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"spread">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = block.thread.x;
#ifdef TG_WRONG
      y(i) = x(tg::max(i, n) * 33_c - i * 32_c);
#else
  y(i) = x(tg::max(i, n));
#endif
    });
