// A pointer as a parameter; that the kernel is launched adds no error.
// expect: TG112
// expect: by value
// expect-not: argument.hpp
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/runtime/device.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"launched_kernel">(tg::block<64>, [](auto block, float* x, tg::scalar<unsigned> n) {
#else
inline constexpr auto kernel =
    tg::kernel<"launched_kernel">(tg::block<64>, [](auto block, tg::out<float> x, tg::scalar<unsigned> n) {
#endif
  (void)block;
  (void)x;
  (void)n;
});

inline void launch(tg::device& gpu, tg::buffer<float>& x) { gpu.launch(kernel, tg::grid(1), x, 64u); }
