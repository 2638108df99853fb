// A tile of 32 x 64 is to be spread as one of 64 x 32.
// expect: TG602
// expect: fixed_tile<float
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x) {
  const auto own = tg::load(block, tg::tile_at<32, 64>(tg::sized(x, 32u, 64u), 0_c, 0_c));
#ifdef TG_WRONG
  const auto like = tg::eval(tg::zeros<float, 64, 32>(block));
#else
  const auto like = tg::eval(tg::zeros<float, 32, 64>(tg::warps<2, 2>(block)));
#endif
  (void)tg::spread_like(own, like);
});
