// The second part of a body that has no parameter for the second tile.
// expect: TG610: the body of tg::pipeline takes the tiles of a stage
#include <tg/tile.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"steps">(
    tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> x, tg::out<float> y, tg::scalar<unsigned> k) {
      auto sum = tg::zeros<float, 64, 64>(block);
      tg::pipeline<2>(
          block, tg::steps(k, 32_c),
          [&](auto at) {
            const auto part = tg::tile_at<64, 32>(tg::sized(x, 64u, k), 0_c, at);
            return tg::stage(part, part);
          },
          [&](auto left, auto right) { sum += tg::dot(left, tg::transposed(right)); },
#ifdef TG_WRONG
          [&](auto) { sum *= 0.5f; });
#else
          [&](auto, auto) { sum *= 0.5f; });
#endif
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
