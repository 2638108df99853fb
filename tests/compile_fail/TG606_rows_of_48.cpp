// Forty-eight rows in registers.
// expect: TG606: a rectangle in registers has a power of two of rows and columns
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int rows = 48;
#else
constexpr int rows = 64;
#endif

inline constexpr auto kernel =
    tg::kernel<"rows">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y) {
      const auto own = tg::load(block, tg::tile_at<rows, 64>(tg::sized(x, 48u, 64u), 0_c, 0_c));
      y(block.thread.x) = own(0);
    });
