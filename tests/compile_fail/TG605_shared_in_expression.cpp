// A tile in shared memory in an expression.
// expect: TG605: tiles in shared memory are operands of tg::dot
// expect: tg::tile_at<rows, columns>(part, 0_c, 0_c)
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"shared">(tg::block<128>, [](auto block, tg::in2<tg::f16, tg::multiple_of<8>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, 64, 64>(block);
      const auto part = tg::to_shared(block, tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c));
#ifdef TG_WRONG
      sum = sum + part * 2.0f;
#else
      sum = sum + tg::cast<float>(tg::tile_at<64, 64>(part, 0_c, 0_c)) * 2.0f;
#endif
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
