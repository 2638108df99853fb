// The atomic minimum of floats.
// expect: TG118
// expect: float
// expect: write a loop of tg::atomic_compare_exchange
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/atomic.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"atomic_min_of_float">(tg::block<256>, [](auto block, tg::inout<float> y, tg::scalar<float> v) {
#else
inline constexpr auto kernel =
    tg::kernel<"atomic_min_of_float">(tg::block<256>, [](auto block, tg::inout<int> y, tg::scalar<int> v) {
#endif
      tg::atomic_min(y(block.index.x), v);
    });
