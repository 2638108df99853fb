// Products whose sums are floats, summed into halves.
// expect: TG608: a product is summed where its sums lie
// expect: T float, or int for integers
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
using sum_type = tg::f16;
#else
using sum_type = float;
#endif

inline constexpr auto kernel =
    tg::kernel<"halves">(tg::block<128>, [](auto block, tg::in2<tg::f16, tg::multiple_of<8>> x, tg::out<sum_type> y) {
      auto sum = tg::zeros<sum_type, 64, 64>(block);
      const auto part = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
      sum += tg::dot(part, part);
      y(block.thread.x) = tg::eval(sum + sum_type(0))(0);
    });
