// A float in a register is no row of two halves.
// expect: TG110
// expect: operation<false, float>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/transpose_matrix.hpp>

#ifdef TG_WRONG
using type = float;
#else
using type = unsigned;
#endif

inline constexpr auto kernel = tg::kernel<"transposed_float">(tg::block<32>, [](auto block, tg::in<type> x, tg::out<type> y) {
  y(block.thread.x) = tg::transpose_matrix(x(block.thread.x));
});
