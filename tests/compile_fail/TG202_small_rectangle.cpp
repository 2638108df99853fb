// A rectangle of 16 columns, where nothing says that rows begin at multiples of 16 bytes.
// expect: TG202
// expect: tg::multiple_of<4>
// expect: sectors_of_rectangle
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using view = tg::inout2<float>;
#else
using view = tg::inout2<float, tg::multiple_of<4>>;
#endif

inline constexpr auto kernel = tg::kernel<"pair">(
    tg::block<32>, [](auto block, view x) { (void)tg::load(block, tg::tile_at<16, 16>(tg::sized(x, 16u, 16u), 0_c, 0_c)); });
