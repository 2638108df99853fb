// A tile goes to registers as it lies.
// expect: TG607: tg::dot(a, b) needs as many columns of a as rows of b
// expect: tg::in_registers takes a tile as it lies
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;

inline constexpr auto kernel = tg::kernel<"registers">(tg::block<128>, [](auto block, view x, tg::out<float> y) {
  const auto a = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
#ifdef TG_WRONG
  const auto own = tg::in_registers(block, tg::transposed(a));
#else
  const auto own = tg::in_registers(block, a);
#endif
  auto sum = tg::zeros<float, 64, 64>(block);
  sum += tg::dot(own, a);
  y(block.thread.x) = tg::row_sum(sum)(0);
});
