// A vector of the host as an operand of tiles.
// expect: TG138
// expect: pass a buffer of them to the kernel
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/tile.hpp>

#include <vector>

using namespace tg::literals;

inline const std::vector<float> shift(64, 1.0f);
inline constexpr auto shifted = tg::kernel<"shifted">(tg::block<128>, [](auto block, tg::inout2<float, tg::multiple_of<4>> x) {
  const auto own = tg::load(block, tg::tile_at<32, 64>(tg::sized(x, 32u, 64u), 0_c, 0_c));
#ifdef TG_WRONG
  (void)tg::eval(own + shift);
#else
  (void)tg::eval(own + 1.0f);
#endif
});
