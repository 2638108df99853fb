// Two words have eight bytes.
// expect: TG156
// expect: positions<0, 1, 2, 8>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/value/byte_permute.hpp>

inline constexpr auto kernel = tg::kernel<"pair">(tg::block<64>, [](auto block, tg::inout<unsigned> u) {
  [[maybe_unused]] const auto i = block.thread.x;
#ifdef TG_WRONG
  u(i) = tg::byte_permute<0, 1, 2, 8>(u(i), i);
#else
  u(i) = tg::byte_permute<0, 1, 2, 7>(u(i), i);
#endif
});
