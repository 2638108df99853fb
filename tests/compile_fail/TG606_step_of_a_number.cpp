// A step that is a plain number.
// expect: TG606: the step of tg::steps is a constant: tg::steps(k, 32_c)
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"steps">(
    tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y, tg::scalar<unsigned> k) {
      auto sum = tg::zeros<float, 64, 64>(block);
#ifdef TG_WRONG
      const auto all = tg::steps(k, 32);
#else
      const auto all = tg::steps(k, 32_c);
#endif
      tg::pipeline<2>(
          block, all, [&](auto at) { return tg::stage(tg::tile_at<64, 32>(tg::sized(x, 64u, k), 0_c, at)); },
          [&](auto part) { sum += tg::dot(part, tg::transposed(part)); });
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
