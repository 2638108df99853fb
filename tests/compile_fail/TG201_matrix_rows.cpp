// The rows of matrices in a tile whose rows are 128 bytes apart.
// expect: TG201
// expect: ways<8>
// expect: try_pitch<72>
// expect: try_swizzle<3, 3, 3>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/analysis/conflict_free_swizzle.hpp>
#include <tg/dsl/matrix/load_matrix.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
constexpr auto layout = tg::pitch<64>;
#else
constexpr auto layout = tg::conflict_free_swizzle<tg::tile_of<unsigned short, 64, 64>, tg::matrix_access>;
#endif

inline constexpr auto kernel = tg::kernel<"matrix_rows">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  auto tile = tg::shared<unsigned short>(tg::shape<64, 64>, layout);
  y(block.thread.x) = tg::load_matrix<4>(tile, block.thread.x, 8_c)(0);
});
