// A function over the lanes of a warp that turns unsigned into float.
// expect: TG101
// expect: types<unsigned int, float>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = block.warp().combine(u(i), [](auto a, auto b) { return tg::cast<float>(a * b); });
#else
  u(i) = block.warp().combine(u(i), [](auto a, auto b) { return a * b; });
#endif
});
