// A tile of zeros without the type of its elements.
// expect: TG606: a tile has a type of elements, rows and columns: tg::zeros<float, 64, 64>(block)
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      (void)x;
#ifdef TG_WRONG
      const auto sum = tg::zeros<64, 64>(block);
#else
      const auto sum = tg::zeros<float, 64, 64>(block);
#endif
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::cast<f16>(sum);
      (void)bias, (void)n;
    });
