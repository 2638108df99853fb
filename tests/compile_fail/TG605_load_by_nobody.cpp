// A rectangle that no block loads.
// expect: TG605: nothing here says how the tile is spread over the threads; name it with tg::load(block, x)
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      const auto part = tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, 0_c);
#ifdef TG_WRONG
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::load(part);
#else
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::load(block, part);
#endif
      (void)bias, (void)n;
    });
