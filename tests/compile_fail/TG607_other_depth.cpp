// Operands of different depths.
// expect: TG607: tg::dot(a, b) needs as many columns of a as rows of b
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;

#ifdef TG_WRONG
constexpr int depth = 32;
#else
constexpr int depth = 64;
#endif

inline constexpr auto kernel = tg::kernel<"depth">(tg::block<128>, [](auto block, view a, view b, tg::out<float> y) {
  auto sum = tg::zeros<float, 64, 64>(block);
  const auto left = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(a, 64u, 64u), 0_c, 0_c));
  const auto right = tg::to_shared(block, tg::tile_at<depth, 64>(tg::sized(b, 64u, 64u), 0_c, 0_c));
  sum += tg::dot(left, right);
  y(block.thread.x) = tg::row_sum(sum)(0);
});
