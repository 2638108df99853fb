// A tile whose extents are known at run time only.
// expect: TG114: a device value is not known while C++ runs
// expect: a C++ constant in place of n in f<n>(x)
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::inout2<float, tg::multiple_of<4>> x, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
#ifdef TG_WRONG
      const auto own = tg::load(block, tg::tile_at<n, 64>(tg::sized(x, n, n), 0_c, 0_c));
#else
      const auto own = tg::load(block, tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c));
#endif
      part = own * 2.0f;
    });
