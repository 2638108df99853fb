// Three matrices in one ldmatrix.
// expect: TG140
// expect: matrices<3>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/load_matrix.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr int matrices = 3;
#else
constexpr int matrices = 4;
#endif

inline constexpr auto kernel = tg::kernel<"three_matrices">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  auto tile = tg::shared<unsigned>(tg::shape<32, 4>);
  y(block.thread.x) = tg::load_matrix<matrices>(tile, block.thread.x, 0_c)(0);
});
