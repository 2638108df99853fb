// A vector that begins one element late.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<4>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"vector_off_by_one">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y.vec<4>(i * 4_c) = x.vec<4>(i * 4_c + 1_c);
#else
  y.vec<4>(i * 4_c) = x.vec<4>(i * 4_c);
#endif
    });
