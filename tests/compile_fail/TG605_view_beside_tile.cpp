// A whole view as an operand beside a tile.
// expect: TG605: a view beside a tile
// expect: tg::tile_at<64>(tg::sized(x, n), column)
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
      const auto t = tg::load(block, part);
#ifdef TG_WRONG
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::cast<f16>(tg::cast<float>(t) + bias);
#else
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::cast<f16>(tg::cast<float>(t) + tg::tile_at<64>(tg::sized(bias, n), 0_c));
#endif
      (void)bias, (void)n;
    });
