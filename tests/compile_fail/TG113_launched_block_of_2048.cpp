// A block of too many threads, in a kernel that is launched.
// expect: TG113
// expect-not: TG130
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/runtime/device.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"launched_block">(tg::block<2048>, [](auto, tg::out<float> x) { (void)x; });
#else
inline constexpr auto kernel = tg::kernel<"launched_block">(tg::block<1024>, [](auto, tg::out<float> x) { (void)x; });
#endif

inline void launch(tg::device& gpu, tg::buffer<float>& x) { gpu.launch(kernel, tg::grid(1), x); }
