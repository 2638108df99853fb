// Floats are multiplied by CUDA cores, and the scope has to say so.
// expect: TG608: a product is summed where its sums lie
// expect: tg::cuda_cores
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<4>>;

inline constexpr auto kernel = tg::kernel<"floats">(tg::block<256>, [](auto block, view a, view b, tg::out<float> y) {
#ifdef TG_WRONG
  const auto scope = tg::warps<4, 2>(block);
#else
  const auto scope = tg::warps<4, 2, tg::cuda_cores>(block);
#endif
  auto sum = tg::zeros<float, 128, 128>(scope);
  const auto left = tg::to_shared(block, tg::tile_at<128, 16>(tg::sized(a, 128u, 16u), 0_c, 0_c));
  const auto right = tg::to_shared(block, tg::tile_at<16, 128>(tg::sized(b, 16u, 128u), 0_c, 0_c));
  sum += tg::dot(left, right);
  y(block.thread.x) = tg::row_sum(sum)(0);
});
