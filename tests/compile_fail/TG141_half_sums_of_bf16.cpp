// Products of bf16 have no sums of f16.
// expect: TG141
// expect: accumulator<16, 8, tg::f16>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma.hpp>

#ifdef TG_WRONG
using type = tg::bf16;
#else
using type = tg::f16;
#endif

inline constexpr auto kernel = tg::kernel<"half_sums">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  tg::accumulator<16, 8, tg::f16> sums = 0u;
  tg::mma(sums, tg::a_fragment<16, 16, type>::unfilled(), tg::b_fragment<16, 8, type>::unfilled());
  y(block.thread.x) = sums(0);
});
