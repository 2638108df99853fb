// A tile that tg::eval gave, assigned in a loop: the name would stand for other registers, the loop would lose them.
// expect: TG127: what tg::eval, tg::load, a reduction or an expression gives is fixed
// expect: tg::full_per_row
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"peak">(
    tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto part = [&](auto row) { return tg::load(block, tg::tile_at<64, 64>(tg::sized(x, n, 64u), row, 0_c)); };
#ifdef TG_WRONG
      auto peak = tg::eval(tg::row_max(part(0_c)));
#else
      const auto like = tg::full_like_load<float>(block, tg::tile_at<64, 64>(tg::sized(x, n, 64u), 0_c, 0_c), 0.0f);
      auto peak = tg::full_per_row(like, 0.0f);
#endif
      tg::for_(tg::range(0_c, n, 64_c), [&](auto row) { peak = tg::eval(tg::max(peak, tg::row_max(part(row)))); });
      tg::column_at<64>(tg::sized(y, 64u), 0_c) = tg::eval(peak + 0.0f);
    });
