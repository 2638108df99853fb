// An array of the host at an index of the device.
// expect: TG114
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

inline constexpr auto kernel = tg::kernel<"host_array">(tg::block<256>, [](auto block, tg::out<float> y) {
  const auto i = tg::let(block.global_index());
#ifdef TG_WRONG
  const float weights[] = {1.0f, 2.0f};
  y(i) = weights[i & 1u];
#else
  y(i) = tg::select((i & 1u) == 0u, 1.0f, 2.0f);
#endif
});
