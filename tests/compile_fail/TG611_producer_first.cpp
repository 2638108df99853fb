// The producer stands in front of the architecture that it is for.
// expect: TG611: tg::producer stands behind tg::for_sm<90>
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto shape = tg::block<128> | tg::producer;
#else
inline constexpr auto shape = tg::block<128> | tg::for_sm<90> | tg::producer;
#endif

inline constexpr auto kernel = tg::kernel<"product">(shape, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x,
                                                               tg::out<float> y, tg::scalar<unsigned> k) {
  auto sum = tg::zeros<float, 64, 64>(block);
  tg::add_products<2>(
      block, sum, tg::steps(k, 64_c), [&](auto at) { return tg::stage(tg::tile_at<64, 64>(tg::sized(x, 64u, k), 0_c, at)); },
      [](auto part) { return tg::dot(part, tg::transposed(part)); });
  y(block.thread.x) = tg::row_sum(sum)(0);
});
