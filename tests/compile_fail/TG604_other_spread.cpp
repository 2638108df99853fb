// A tile that was loaded beside the sums of a product.
// expect: TG604: these tiles are spread over the threads in different ways
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"spread">(tg::block<128>, [](auto block, tg::in2<float, tg::multiple_of<4>> x, tg::out<float> y) {
      const auto sum = tg::zeros<float, 64, 64>(block);
      const auto loaded = tg::load(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
#ifdef TG_WRONG
      y(block.thread.x) = tg::row_sum(sum + loaded)(0);
#else
      y(block.thread.x) = tg::row_sum(sum + tg::spread_like(loaded, sum))(0);
#endif
    });
