// Numbers of blocks and threads, as <<<blocks, threads>>> has them.
// expect: TG131: the grid of a launch is tg::cover(elements) or tg::grid(blocks)
#include <tg/runtime/device.hpp>

inline constexpr auto twice = tg::kernel<"twice">(
    tg::block<256>, [](auto block, tg::inout<float> x) { x(block.global_index()) += x(block.global_index()); });

void run(tg::device& gpu, tg::buffer<float>& x) {
#ifdef TG_WRONG
  gpu.launch(twice, 4, 256, x);
#else
  gpu.launch(twice, tg::grid(4), x);
#endif
}
