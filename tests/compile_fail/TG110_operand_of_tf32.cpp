// Sums become an operand of 16-bit floats only: the lanes hold the others elsewhere.
// expect: TG110
// expect: tf32
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/to_operand.hpp>

#ifdef TG_WRONG
using element = tg::tf32;
#else
using element = tg::bf16;
#endif

inline constexpr auto kernel = tg::kernel<"operand_of_tf32">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  tg::accumulator<16, 16, float> sums = 0.0f;
  y(block.thread.x) = tg::to_operand<element>(sums)(0);
});
