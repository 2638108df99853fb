// Vectors in rows of any length.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<4>
// expect: tg::multiple_of
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"vector_in_unaligned_rows">(tg::block<256>, [](auto block, tg::in2<float> a, tg::out<float> y) {
#else
inline constexpr auto kernel = tg::kernel<"vector_in_unaligned_rows">(
    tg::block<256>, [](auto block, tg::in2<float, tg::multiple_of<4>> a, tg::out<float> y) {
#endif
      auto i = block.thread.x;
      y.vec<4>(i * 4_c) = a.vec<4>(block.index.x, i * 4_c);
    });
