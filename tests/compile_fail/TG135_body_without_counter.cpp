// A counted loop whose body takes no counter.
// expect: TG135
// expect: tg::for_(tg::range(n), [&](auto k)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>

inline constexpr auto kernel = tg::kernel<"loop">(tg::block<64>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
  tg::for_(tg::range(n), [&] { y(block.thread.x) = 1.0f; });
#else
  tg::for_(tg::range(n), [&](auto) { y(block.thread.x) = 1.0f; });
#endif
  (void)block;
});
