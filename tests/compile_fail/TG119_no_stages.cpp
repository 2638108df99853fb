// A ring of tiles that has none.
// expect: TG119
// expect: tg::stages<float, 3>(tg::shape<64, 64>)
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/async/stages.hpp>

using namespace tg::literals;

#ifdef TG_WRONG
inline constexpr int count = 0;
#else
inline constexpr int count = 2;
#endif

inline constexpr auto kernel = tg::kernel<"no_stages">(tg::block<32>, [](auto block, tg::out<float> y) {
  const auto tiles = tg::stages<float, count>(tg::shape<1, 32>);
  tiles.fill(0u)(0_c, block.thread.x) = 1.0f;
  y(block.thread.x) = 1.0f;
});
