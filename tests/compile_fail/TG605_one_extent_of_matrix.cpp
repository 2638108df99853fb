// A matrix with one extent.
// expect: TG605: a matrix is tg::sized(x, rows, columns)
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
      const auto all = tg::sized(x, n);
#else
      const auto all = tg::sized(x, n, n);
#endif
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::load(block, tg::tile_at<64, 64>(all, 0_c, 0_c));
      (void)bias, (void)n;
    });
