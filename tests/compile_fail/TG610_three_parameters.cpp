// A body with a parameter too many.
// expect: TG610: the body of tg::pipeline takes the tiles of a stage
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"steps">(
    tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y, tg::scalar<unsigned> k) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::pipeline<2>(
          block, tg::steps(k, 32_c), [&](auto at) { return tg::stage(tg::tile_at<64, 32>(tg::sized(x, 64u, k), 0_c, at)); },
#ifdef TG_WRONG
          [&](auto part, auto, auto) { sum += tg::dot(part, tg::transposed(part)); });
#else
          [&](auto part, auto) { sum += tg::dot(part, tg::transposed(part)); });
#endif
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
