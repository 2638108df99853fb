// A rectangle that is larger than the tile in shared memory.
// expect: TG606: this rectangle is larger than the tile that it is cut from
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int rows = 128;
#else
constexpr int rows = 64;
#endif

inline constexpr auto kernel =
    tg::kernel<"cut">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, rows, 64>(block);
      const auto part = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
      sum = tg::cast<float>(tg::tile_at<rows, 64>(part, 0_c, 0_c));
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
