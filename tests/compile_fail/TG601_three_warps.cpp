// Three warps do not share a power of two of rows.
// expect: TG601: a team has all warps of its block, and the block has a power of two of whole warps
#include <tg/tile.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int threads = 96;
#else
constexpr int threads = 128;
#endif

inline constexpr auto kernel =
    tg::kernel<"zeros">(tg::block<threads>, [](auto block, tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> n) {
      tg::tile_at<64, 64>(tg::sized(y, n, 64u), 0_c, 0_c) = tg::zeros<float, 64, 64>(block);
    });
