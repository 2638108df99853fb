// Rows that are no power of two.
// expect: TG606: tg::full has a power of two of rows and columns
#include <tg/tile.hpp>

#ifdef TG_WRONG
constexpr int rows = 96;
#else
constexpr int rows = 128;
#endif

inline constexpr auto kernel = tg::kernel<"odd">(tg::block<128>, [](auto block, tg::out<float> y) {
  auto sum = tg::zeros<float, rows, 64>(block);
  y(block.thread.x) = tg::row_sum(sum)(0);
});
