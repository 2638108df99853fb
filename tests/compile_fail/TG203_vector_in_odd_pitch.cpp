// Vectors in a tile with an odd pitch.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<4>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/memory/shared.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"vector_in_odd_pitch">(tg::block<32, 8>, [](auto block, tg::out<float> y) {
#ifdef TG_WRONG
  auto tile = tg::shared<float>(tg::shape<8, 32>, tg::pitch<33>);
#else
  auto tile = tg::shared<float>(tg::shape<8, 32>, tg::pitch<36>);
#endif
  tile(block.thread.y, block.thread.x) = 0.0f;
  block.sync();
  y.vec<4>(block.thread_index() * 4_c) = tile.template vec<4>(block.thread.y, block.thread.x % 8_c * 4_c).get();
});
