// A loop of C++ over a range of a kernel.
// expect: TG135
// expect: tg::for_(tg::range(n), [&](auto k)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>

inline constexpr auto kernel = tg::kernel<"loop">(tg::block<64>, [](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
#ifdef TG_WRONG
  for (auto k : tg::range(n)) y(k) = 1.0f;
#else
  tg::for_(tg::range(n), [&](auto k) { y(k) = 1.0f; });
#endif
  (void)block;
});
