// Bytes are no bits.
// expect: TG141
// expect: product_shape<16, 8, 32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma_bits.hpp>

using bytes = tg::a_fragment<16, 32, signed char>;

inline constexpr auto kernel = tg::kernel<"bytes_as_bits">(tg::block<32>, [](auto block, tg::out<int> y) {
  tg::accumulator<16, 8, int> sums = 0;
#ifdef TG_WRONG
  tg::mma_xor(sums, bytes::unfilled(), tg::b_fragment<32, 8, signed char>::unfilled());
#else
  tg::mma(sums, bytes::unfilled(), tg::b_fragment<32, 8, signed char>::unfilled());
#endif
  y(block.thread.x) = sums(0);
});
