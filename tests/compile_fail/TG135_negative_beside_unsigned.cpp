// A loop from a negative number to an unsigned one.
// expect: TG135
// expect: tg::cast<int>(n)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/cast.hpp>
#include <tg/dsl/value/var.hpp>

inline constexpr auto kernel =
    tg::kernel<"negative_beside_unsigned">(tg::block<256>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      using namespace tg::literals;
      tg::var<float> s = 0.0f;
#ifdef TG_WRONG
      tg::for_(tg::range(-2_c, n), [&](auto) { s += 1.0f; });
#else
  tg::for_(tg::range(-2_c, tg::cast<int>(n)), [&](auto) { s += 1.0f; });
#endif
      y(block.global_index()) = s;
    });
