// Numbers of three bits do not fill words.
// expect: TG606: tg::unpacked<Bits> takes 1, 2, 4, 8 or 16 bits
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int bits = 3;
#else
constexpr int bits = 4;
#endif

inline constexpr auto kernel =
    tg::kernel<"words">(tg::block<128>, [](auto block, tg::in2<unsigned, tg::multiple_of<4>> x, tg::out<float> y) {
      auto sum = tg::zeros<float, 64, 64>(block);
      const auto part = tg::to_shared(block, tg::tile_at<64, 8>(tg::sized(x, 64u, 8u), 0_c, 0_c));
      sum = tg::cast<float>(tg::unpacked<bits>(tg::tile_at<64, 8>(part, 0_c, 0_c)));
      y(block.thread.x) = tg::row_sum(sum)(0);
    });
