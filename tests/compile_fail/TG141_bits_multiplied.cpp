// Single bits have no product until it is said what is done with two of them.
// expect: TG141
// expect: product_shape<16, 8, 256>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma_bits.hpp>

inline constexpr auto kernel = tg::kernel<"bits_multiplied">(tg::block<32>, [](auto block, tg::out<int> y) {
  tg::accumulator<16, 8, int> sums = 0;
#ifdef TG_WRONG
  tg::mma(sums, tg::a_fragment<16, 256, tg::b1>::unfilled(), tg::b_fragment<256, 8, tg::b1>::unfilled());
#else
  tg::mma_and(sums, tg::a_fragment<16, 256, tg::b1>::unfilled(), tg::b_fragment<256, 8, tg::b1>::unfilled());
#endif
  y(block.thread.x) = sums(0);
});
