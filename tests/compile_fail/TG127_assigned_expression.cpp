// An expression, assigned in a loop.
// expect: TG127: what tg::eval, tg::load, a reduction or an expression gives is fixed
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"doubled">(tg::block<128>, [](auto block, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> n) {
      auto sum = tg::full<float, 64, 64>(block, 1.0f);
      auto twice = sum * 2.0f;
      tg::for_(tg::range(n), [&](auto) {
#ifdef TG_WRONG
        twice = sum * 2.0f;
#else
        sum = sum * 2.0f;
#endif
      });
      tg::tile_at<64, 64>(tg::sized(y, n, 64u), 0_c, 0_c) = sum;
    });
