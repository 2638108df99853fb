// The format of printf among the arguments, as in CUDA.
// expect: TG161: the format of tg::printf is a template argument
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/debug/printf.hpp>

inline constexpr auto kernel = tg::kernel<"text">(tg::block<32>, [](auto block, tg::in<float> x) {
#ifdef TG_WRONG
  tg::printf("%f\n", x(block.thread.x));
#else
  tg::printf<"%f\n">(x(block.thread.x));
#endif
});
