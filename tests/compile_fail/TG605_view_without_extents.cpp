// A rectangle of a view whose extents nobody says.
// expect: TG605: a rectangle is cut from a view whose extents are known: write tg::sized(view, rows, columns)
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"cut">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y) {
#ifdef TG_WRONG
      const auto own = tg::load(block, tg::tile_at<64, 64>(x, 0_c, 0_c));
#else
      const auto own = tg::load(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
#endif
      y(block.thread.x) = tg::row_sum(own)(0);
    });
