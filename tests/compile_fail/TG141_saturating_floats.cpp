// Sums of floats do not saturate.
// expect: TG141
// expect: product_shape<16, 8, 16>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma_saturating.hpp>

inline constexpr auto kernel = tg::kernel<"saturating_floats">(tg::block<32>, [](auto block, tg::out<float> y) {
  tg::accumulator<16, 8, float> sums = 0.0f;
#ifdef TG_WRONG
  tg::mma_saturating(sums, tg::a_fragment<16, 16, tg::bf16>::unfilled(), tg::b_fragment<16, 8, tg::bf16>::unfilled());
#else
  tg::mma(sums, tg::a_fragment<16, 16, tg::bf16>::unfilled(), tg::b_fragment<16, 8, tg::bf16>::unfilled());
#endif
  y(block.thread.x) = sums(0);
});
