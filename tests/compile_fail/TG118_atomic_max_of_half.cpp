// Halves are added atomically; their maximum is no scalar atomic.
// expect: TG118
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

inline constexpr auto kernel =
    tg::kernel<"atomic_max_of_half">(tg::block<32>, [](auto block, tg::in<tg::f16> x, tg::inout<tg::f16> y) {
#ifdef TG_WRONG
      tg::atomic_max(y(block.index.x), x(block.thread.x));
#else
  tg::atomic_add(y(block.index.x), x(block.thread.x));
#endif
    });
