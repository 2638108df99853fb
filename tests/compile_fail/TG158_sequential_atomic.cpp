// Atomics are not in one order for everybody.
// expect: TG158
// expect: reads acquire, writes release
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::atomic_add<tg::order::sequential>(u(i), 1u);
#else
  tg::atomic_add<tg::order::acq_rel>(u(i), 1u);
#endif
});
