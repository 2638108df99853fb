// Eight halves that begin two halves late.
// expect: TG203
// expect: access_bytes<16>
// expect: proved_alignment_bytes<4>
#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"halves_off_by_two">(tg::block<256>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y.vec<8>(i * 8_c) = x.vec<8>(i * 8_c + 2_c);
#else
  y.vec<8>(i * 8_c) = x.vec<8>(i * 8_c);
#endif
    });
