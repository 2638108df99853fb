// A member of tg that does not exist: CUDA's name of a function.
// expect: TG139: write tg::max(a, b)
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"cuda">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
#ifdef TG_WRONG
  y(block.thread.x) = tg::fmaxf(x(block.thread.x), 0.0f);
#else
  y(block.thread.x) = tg::max(x(block.thread.x), 0.0f);
#endif
});
