// A lambda without a block, and a launch of it.
// expect: TG112
// expect: auto block
// expect-not: TG130
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/runtime/device.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"launched_without_block">(tg::block<64>, [](tg::out<float> x) { (void)x; });
#else
inline constexpr auto kernel = tg::kernel<"launched_without_block">(tg::block<64>, [](auto, tg::out<float> x) { (void)x; });
#endif

inline void launch(tg::device& gpu, tg::buffer<float>& x) { gpu.launch(kernel, tg::grid(1), x); }
