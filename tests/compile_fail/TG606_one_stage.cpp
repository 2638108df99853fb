// A pipeline that has nowhere to copy to while a stage is read.
// expect: TG606
// expect: two stages at least
#include <tg/tile.hpp>

using namespace tg::literals;

using view = tg::in2<tg::f16, tg::multiple_of<8>>;

#ifdef TG_WRONG
constexpr int stages = 1;
#else
constexpr int stages = 2;
#endif

inline constexpr auto kernel = tg::kernel<"one_stage">(
    tg::block<128>, [](auto block, view x, tg::out2<tg::f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::pipeline<stages>(
          block, tg::steps(n, 64_c), [&](auto k) { return tg::stage(tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, k)); },
          [&](auto part) { sum += tg::dot(part, part); });
      tg::tile_at<64, 64>(tg::sized(y, n, n), 0_c, 0_c) = tg::cast<tg::f16>(sum);
    });
