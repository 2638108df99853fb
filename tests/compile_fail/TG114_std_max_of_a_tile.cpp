// std::max of a tile and a number.
// expect: TG114: what a device holds is not known while C++ runs
// expect: tg::max(x, 0.0f)
#include <tg/tile.hpp>

#include <algorithm>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::inout2<float, tg::multiple_of<4>> x, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
      const auto own = tg::load(block, part);
#ifdef TG_WRONG
      part = std::max(own, 0.0f);
#else
      part = tg::max(own, 0.0f);
#endif
    });
