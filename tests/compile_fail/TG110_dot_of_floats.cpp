// A dot product of bytes wants words.
// expect: TG110
// expect: types<float, float>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/value/dot.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<float> x, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = tg::dp4a(x(i), x(i), 0);
#else
  u(i) = tg::dp4a(u(i), u(i), 0);
#endif
});
