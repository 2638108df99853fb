// Rows of a matrix that begin between two multiples of 16 bytes.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<8>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/matrix/load_matrix.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"matrix_rows">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  auto tile = tg::shared<unsigned short>(tg::shape<64, 64>, tg::pitch<72>);
#ifdef TG_WRONG
  y(block.thread.x) = tg::load_matrix<4>(tile, block.thread.x, 4_c)(0);
#else
  y(block.thread.x) = tg::load_matrix<4>(tile, block.thread.x, 8_c)(0);
#endif
});
