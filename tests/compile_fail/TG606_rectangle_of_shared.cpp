// A rectangle that begins inside of the tile in shared memory and ends outside.
// expect: TG606: this rectangle reaches beyond the tile that it is cut from
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int first = 32;
#else
constexpr int first = 0;
#endif

inline constexpr auto kernel =
    tg::kernel<"cut">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, 64, 32>(block);
      const auto part = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
      sum = tg::cast<float>(tg::tile_at<64, 32>(part, 0_c, tg::constant<first + 32>{}));
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
