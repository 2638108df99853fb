// The left operand of a product of floats lies in shared memory.
// expect: TG607: tg::dot(a, b) needs as many columns of a as rows of b
// expect: floats lie both in shared
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<4>>;

inline constexpr auto kernel = tg::kernel<"expression">(tg::block<256>, [](auto block, view x, tg::out<float> y) {
  const auto scope = tg::warps<8, 1, tg::cuda_cores>(block);
  const auto a = tg::to_shared(block, tg::tile_at<128, 128>(tg::sized(x, 128u, 128u), 0_c, 0_c));
  auto sum = tg::zeros<float, 128, 128>(scope);
#ifdef TG_WRONG
  sum += tg::dot(tg::exp(sum), a);
#else
  sum += tg::dot(a, a);
#endif
  y(block.thread.x) = tg::row_sum(sum)(0);
});
