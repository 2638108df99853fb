// A function of CUDA by its own name, without tg:: in front.
// expect: TG139: write tg::exp(x)
#include <tg/dsl.hpp>

inline constexpr auto kernel =
    tg::kernel<"function_of_cuda">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
      y(i) = expf(x(i));
#else
      y(i) = tg::exp(x(i));
#endif
    });
