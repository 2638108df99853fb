// A number is no condition.
// expect: TG104
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/assume.hpp>

inline constexpr auto kernel =
    tg::kernel<"assumed_number">(tg::block<32>, [](auto block, tg::out<unsigned> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
      tg::assume(n);
#else
  tg::assume(n != 0u);
#endif
      y(block.thread.x) = 100u / n;
    });
