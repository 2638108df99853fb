// A product of fragments of different depths.
// expect: TG141
// expect: product_shape<16, 8, 16>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma.hpp>

#ifdef TG_WRONG
using b = tg::b_fragment<8, 8, tg::bf16>;
#else
using b = tg::b_fragment<16, 8, tg::bf16>;
#endif

inline constexpr auto kernel = tg::kernel<"depths_differ">(tg::block<32>, [](auto block, tg::out<float> y) {
  tg::accumulator<16, 8, float> sums = 0.0f;
  tg::mma(sums, tg::a_fragment<16, 16, tg::bf16>::unfilled(), b::unfilled());
  y(block.thread.x) = sums(0);
});
