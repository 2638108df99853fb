// A return that is to leave the kernel.
// expect: TG129
// expect: a return leaves the body, not the kernel
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>

inline constexpr auto kernel =
    tg::kernel<"return_of_a_number">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      const auto i = block.global_index();
#ifdef TG_WRONG
      tg::if_(i >= n, [&] { return 1; });
      y(i) = x(i);
#else
  tg::if_(i < n, [&] { y(i) = x(i); });
#endif
    });
