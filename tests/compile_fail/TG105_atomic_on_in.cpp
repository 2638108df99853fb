// An atomic on a read-only view.
// expect: TG105
// expect: tg::inout
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/atomic.hpp>

#ifdef TG_WRONG
inline constexpr auto kernel = tg::kernel<"atomic_on_in">(tg::block<256>, [](auto block, tg::in<unsigned> x) {
#else
inline constexpr auto kernel = tg::kernel<"atomic_on_in">(tg::block<256>, [](auto block, tg::inout<unsigned> x) {
#endif
  tg::atomic_add(x(block.index.x), 1);
});
