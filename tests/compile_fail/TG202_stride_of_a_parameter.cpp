// A stride that is a parameter.
// expect: TG202
// expect: sectors<32>
// expect: ideal_sectors<4>
#include <tg/dsl/kernel/kernel.hpp>

inline constexpr auto kernel = tg::kernel<"stride_of_a_parameter">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> stride) {
      auto i = block.thread.x;
#ifdef TG_WRONG
      y(i) = x(i * stride);
#else
  y(i) = x(i + stride);
#endif
    });
