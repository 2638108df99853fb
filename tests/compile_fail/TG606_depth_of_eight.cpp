// A part of a right operand that begins inside of what one instruction takes.
// expect: TG606: tg::depth_slice takes rows of the tile, from a multiple of 32 bytes on
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;

#ifdef TG_WRONG
constexpr int first = 8;
#else
constexpr int first = 32;
#endif

inline constexpr auto kernel = tg::kernel<"slice">(tg::block<128>, [](auto block, view a, view b, tg::out<float> y) {
  auto sum = tg::zeros<float, 64, 64>(block);
  const auto left = tg::to_shared(block, tg::tile_at<64, 32>(tg::sized(a, 64u, 32u), 0_c, 0_c));
  const auto right = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(b, 64u, 64u), 0_c, 0_c));
  sum += tg::dot(left, tg::depth_slice<32>(tg::transposed(right), tg::constant<first>{}));
  y(block.thread.x) = tg::row_sum(sum)(0);
});
