// A right operand that lies in global memory.
// expect: TG607: tg::dot(a, b) needs as many columns of a as rows of b
// expect: b lies in shared memory, by tg::pipeline or tg::to_shared
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"right">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, 64, 64>(block);
      const auto from = tg::tile_at<64, 64>(tg::sized(x, 64u, 64u), 0_c, 0_c);
      const auto held = tg::to_shared(block, from);
#ifdef TG_WRONG
      sum += tg::dot(held, from);
#else
      sum += tg::dot(held, held);
#endif
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
