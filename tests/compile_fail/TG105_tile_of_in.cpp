// A rectangle of a view that is read only, assigned: one error.
// expect: TG105: a tg::in view is read-only
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using result = tg::in2<float, tg::multiple_of<4>>;
#else
using result = tg::out2<float, tg::multiple_of<4>>;
#endif

inline constexpr auto kernel = tg::kernel<"written">(tg::block<128>, [](auto block, result y, tg::scalar<unsigned> n) {
  tg::tile_at<64, 64>(tg::sized(y, n, 64u), 0_c, 0_c) = tg::zeros<float, 64, 64>(block);
});
