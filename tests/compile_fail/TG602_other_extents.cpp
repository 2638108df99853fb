// Two tiles of different extents in one expression.
// expect: TG602: tiles of one expression have the same rows and columns
#include <tg/tile.hpp>

#ifdef TG_WRONG
constexpr int rows = 128;
#else
constexpr int rows = 64;
#endif

inline constexpr auto kernel = tg::kernel<"extents">(tg::block<128>, [](auto block, tg::out<float> y) {
  const auto a = tg::zeros<float, 64, 64>(block);
  const auto b = tg::zeros<float, rows, 64>(block);
  y(block.thread.x) = tg::row_sum(a + b)(0);
});
