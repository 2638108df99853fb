// A word has four bytes.
// expect: TG156
// expect: positions<4>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/value/byte.hpp>

inline constexpr auto kernel = tg::kernel<"fifth_byte">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = tg::cast<unsigned>(tg::byte<4>(u(i)));
#else
  u(i) = tg::cast<unsigned>(tg::byte<3>(u(i)));
#endif
});
