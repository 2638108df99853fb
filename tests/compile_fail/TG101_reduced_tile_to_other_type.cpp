// A reduction of a tile that turns float into int.
// expect: TG101
// expect: types<float, int>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout2<float, tg::multiple_of<4>> x) {
  const auto all = tg::tile_at<16, 64>(tg::sized(x, 16u, 64u), 0_c, 0_c);
  const auto own = tg::load(block, all);
#ifdef TG_WRONG
  all = own + tg::reduce<tg::axis::row>(own, [](auto a, auto b) { return tg::cast<int>(a + b); });
#else
  all = own + tg::reduce<tg::axis::row>(own, [](auto a, auto b) { return a + b; });
#endif
});
