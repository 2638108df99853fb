// A loop that stands still.
// expect: TG135
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"step_of_zero">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      using namespace tg::literals;
      tg::var<float> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(tg::range(0_c, n, 0_c), [&](auto) { s += 1.0f; });
#else
  tg::for_(tg::range(0_c, n, 1_c), [&](auto) { s += 1.0f; });
#endif
      y(block.global_index()) = s;
    });
