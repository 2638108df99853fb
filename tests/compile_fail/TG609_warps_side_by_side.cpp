// Sums over warps that stand beside each other as the left operand of the next product.
// expect: TG609: a left operand in registers has each row in one warp
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;

inline constexpr auto kernel = tg::kernel<"twice">(tg::block<128>, [](auto block, view a, view b, tg::out<float> y) {
#ifdef TG_WRONG
  const auto scope = tg::warps<2, 2>(block);
#else
  const auto scope = tg::warps<4, 1>(block);
#endif
  auto first = tg::zeros<float, 64, 64>(scope);
  auto second = tg::zeros<float, 64, 64>(scope);
  const auto left = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(a, 64u, 64u), 0_c, 0_c));
  const auto right = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(b, 64u, 64u), 0_c, 0_c));
  first += tg::dot(left, right);
  second += tg::dot(tg::cast<tg::bf16>(first), right);
  y(block.thread.x) = tg::row_sum(second)(0);
});
