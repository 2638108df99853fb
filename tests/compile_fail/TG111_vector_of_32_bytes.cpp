// A vector of 32 bytes.
// expect: TG111
// expect: elements<4>
// expect: 16 bytes
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"vector_of_32_bytes">(tg::block<256>, [](auto block, tg::in<double> x, tg::out<double> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      auto v = x.vec<4>(i * 4_c);
#else
  auto v = x.vec<2>(i * 2_c);
#endif
      y(i) = v(0_c);
    });
