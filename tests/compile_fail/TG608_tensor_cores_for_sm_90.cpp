// Where the kernel is for sm_90, operands lie as warpgroups read them.
// expect: TG608: a product is summed where its sums lie
// expect: into one that names no cores
#include <tg/tile.hpp>

using namespace tg::literals;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;

inline constexpr auto kernel = tg::kernel<"cores">(tg::block<128> | tg::for_sm<90>, [](auto block, view x, tg::out<float> y) {
#ifdef TG_WRONG
  const auto scope = tg::warps<2, 2, tg::tensor_cores>(block);
#else
  const auto scope = tg::warps<2, 2>(block);
#endif
  const auto a = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
  auto sum = tg::zeros<float, 64, 64>(scope);
  sum += tg::dot(a, tg::transposed(a));
  y(block.thread.x) = tg::row_sum(sum)(0);
});
