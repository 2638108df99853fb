// A team of more warps than the block has.
// expect: TG601: a team has all warps of its block
#include <tg/tile.hpp>

inline constexpr auto kernel = tg::kernel<"team">(tg::block<128>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  const auto team = tg::warps<4, 2>(block);
#else
  const auto team = tg::warps<2, 2>(block);
#endif
  const auto sum = tg::zeros<float, 64, 64>(team);
  y(block.thread.x) = tg::row_sum(sum)(0);
});
