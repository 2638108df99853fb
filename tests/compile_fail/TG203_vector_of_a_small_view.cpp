// Vectors in a view aligned to 8 bytes.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<8>
// expect: tg::aligned
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr auto kernel =
    tg::kernel<"vector_of_a_small_view">(tg::block<256>, [](auto block, tg::in<float, tg::aligned<8>> x, tg::out<float> y) {
#else
inline constexpr auto kernel =
    tg::kernel<"vector_of_a_small_view">(tg::block<256>, [](auto block, tg::in<float, tg::aligned<16>> x, tg::out<float> y) {
#endif
      auto i = block.global_index();
      y.vec<4>(i * 4_c) = x.vec<4>(i * 4_c);
    });
