// A rectangle of thirty-two rows assigned to a tile of sixty-four.
// expect: TG602: tiles of one expression have the same rows and columns
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int rows = 32;
#else
constexpr int rows = 64;
#endif

inline constexpr auto kernel =
    tg::kernel<"assigned">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, 64, 64>(block);
      sum = tg::tile_at<rows, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c) * 2.0f;
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
