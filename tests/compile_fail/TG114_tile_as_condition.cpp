// A tile as the condition of an if.
// expect: TG114: C++ cannot ask a tile
// expect: tg::where(condition, a, b)
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
      const auto t = tg::load(block, part);
#ifdef TG_WRONG
      if (t > f16(0)) return;
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = t;
#else
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::where(t > f16(0), f16(0), t);
#endif
      (void)bias, (void)n;
    });
