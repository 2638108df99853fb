// A stage of a pipeline that is assigned.
// expect: TG105: a stage of a pipeline is read only
#include <tg/tile.hpp>

using namespace tg::literals;

using tg::f16;

inline constexpr auto kernel =
    tg::kernel<"refused">(tg::block<128>, [](auto block, tg::in2<f16, tg::multiple_of<8>> x, tg::in<float> bias,
                                             tg::out2<f16, tg::multiple_of<8>> y, tg::scalar<unsigned> n) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::pipeline<3>(
          block, tg::steps(n, 64_c), [&](auto k) { return tg::stage(tg::tile_at<64, 64>(tg::sized(x, n, n), 0_c, k)); },
          [&](auto a) {
#ifdef TG_WRONG
            a = sum;
            sum += tg::dot(a, a);
#else
            sum += tg::dot(a, a);
#endif
          });
      tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = tg::cast<f16>(sum);
      (void)bias, (void)n;
    });
