// Arithmetic on bytes.
// expect: TG110
// expect: unsigned char
// expect: tg::cast<unsigned>(x)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

inline constexpr auto kernel =
    tg::kernel<"small_arithmetic">(tg::block<256>, [](auto block, tg::in<unsigned char> x, tg::out<unsigned char> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i) + x(i);
#else
  y(i) = tg::cast<unsigned char>(tg::cast<unsigned>(x(i)) + 1u);
#endif
    });
