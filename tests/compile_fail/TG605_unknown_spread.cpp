// A rectangle of a view by itself says nothing about threads.
// expect: TG605: nothing here says how the tile is spread over the threads
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"unknown">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y) {
      const auto part = tg::tile_at<4, 128>(tg::sized(x, 64u, 64u), 0_c, 0_c);
#ifdef TG_WRONG
      [[maybe_unused]] const auto sum = tg::row_sum(part);
      y(block.thread.x) = 0.0f;
#else
      y(block.thread.x) = tg::row_sum(tg::load(block, part))(0);
#endif
    });
