// A rectangle of 16 columns is assigned, where nothing says that rows begin at multiples of 16 bytes.
// expect: TG202
// expect: tg::multiple_of<4>
// expect: sectors_of_rectangle
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using view = tg::out2<float>;
#else
using view = tg::out2<float, tg::multiple_of<4>>;
#endif

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<32>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, view y) {
  const auto own = tg::load(block, tg::tile_at<16, 16>(tg::sized(x, 16u, 16u), 0_c, 0_c));
  tg::tile_at<16, 16>(tg::sized(y, 16u, 16u), 0_c, 0_c) = own;
});
