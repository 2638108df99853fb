// The bounds of a loop as arguments of their own.
// expect: TG135
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"loop_without_range">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      tg::var<float> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(0, n, [&](auto) { s += 1.0f; });
#else
      tg::for_(tg::range(0, n), [&](auto) { s += 1.0f; });
#endif
      y(block.global_index()) = s;
    });
