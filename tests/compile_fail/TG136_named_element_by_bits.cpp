// An element named and stored to by an operator of bits.
// expect: TG136
// expect: y(i) += v
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"named_bits">(tg::block<256>, [](auto block, tg::inout<unsigned> y) {
  const auto i = block.global_index();
#ifdef TG_WRONG
  const auto e = y(i);
  e |= 1u;
#else
  y(i) |= 1u;
#endif
});
