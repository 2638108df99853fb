// A loop of which no iteration is done at once.
// expect: TG125
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#ifdef TG_WRONG
inline constexpr int count = 0;
#else
inline constexpr int count = 2;
#endif

inline constexpr auto kernel =
    tg::kernel<"unrolled_by_zero">(tg::block<256>, [](auto block, tg::out<unsigned> y, tg::scalar<unsigned> n) {
      tg::var<unsigned> s = 0u;
      tg::unroll_by<count>(tg::range(n), [&](auto j) { s += j; });
      y(block.global_index()) = s;
    });
