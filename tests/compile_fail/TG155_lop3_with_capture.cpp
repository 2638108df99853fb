// A table is made before the captured number is known.
// expect: TG155
// expect: a lambda without captures, made of &, |, ^ and ~
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/math/lop3.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = tg::lop3([i](auto a, auto b, auto c) { return (void)i, (a ^ b) ^ c; }, u(i), i, 7u);
#else
  u(i) = tg::lop3([](auto a, auto b, auto c) { return (a ^ b) ^ c; }, u(i), i, 7u);
#endif
});
