// What is kept of a sparse operand has half the depth of the other.
// expect: TG141
// expect: product_shape<16, 8, 32>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/mma_sparse.hpp>

#ifdef TG_WRONG
using kept = tg::a_fragment<16, 32, tg::f16>;
#else
using kept = tg::a_fragment<16, 16, tg::f16>;
#endif

inline constexpr auto kernel = tg::kernel<"sparse_depth">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<float> y) {
  tg::accumulator<16, 8, float> sums = 0.0f;
  tg::mma_sparse(sums, kept::unfilled(), tg::b_fragment<32, 8, tg::f16>::unfilled(),
                 tg::sparse_metadata<32, tg::f16>(x(block.thread.x)));
  y(block.thread.x) = sums(0);
});
