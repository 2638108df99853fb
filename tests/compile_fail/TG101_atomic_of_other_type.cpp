// A float added to an unsigned.
// expect: TG101
// expect: types<unsigned int, float>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/atomic.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<float> x, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  tg::atomic_add(u(i), x(i));
#else
  tg::atomic_add(u(i), i);
#endif
});
