// A tile that is const and that a statement adds to.
// expect: TG127: a tile that changes is no const
// expect: [&] where a lambda captures it
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::inout2<float, tg::multiple_of<4>> x, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
#ifdef TG_WRONG
      const auto sum = tg::zeros<float, 64, 64>(block);
#else
      auto sum = tg::zeros<float, 64, 64>(block);
#endif
      sum += 1.0f;
      part = sum;
    });
