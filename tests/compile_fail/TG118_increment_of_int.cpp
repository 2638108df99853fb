// Only unsigned counters wrap.
// expect: TG118
// expect: int
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<int> n, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::atomic_increment(n(i), 7);
#else
  tg::atomic_increment(u(i), 7u);
#endif
});
