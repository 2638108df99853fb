// A member of tg that does not exist: CUDA's name of a word.
// expect: TG139: write block.sync()
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"cuda">(tg::block<256>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  tg::syncthreads();
#else
  block.sync();
#endif
  y(block.thread.x) = 1.0f;
});
