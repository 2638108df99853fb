// A store has nothing to acquire.
// expect: TG158
// expect: reads acquire, writes release
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/atomic_access.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::atomic_store<tg::order::acquire>(u(i), 1u);
#else
  tg::atomic_store<tg::order::release>(u(i), 1u);
#endif
});
