// Sixty-four rows stored to a rectangle of thirty-two: half of them would be written behind it.
// expect: TG602: tiles of one expression have the same rows and columns
// expect: tile_extents<32, 64>
// expect: tile_extents<64, 64>
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int rows = 32;
#else
constexpr int rows = 64;
#endif

inline constexpr auto kernel =
    tg::kernel<"stored">(tg::block<128>, [](auto block, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> n) {
      const auto sum = tg::zeros<float, 64, 64>(block);
      tg::tile_at<rows, 64>(tg::sized(y, n, 64u), 0_c, 0_c) = sum;
    });
