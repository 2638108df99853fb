// A loop that begins a group in each round and waits for none.
// expect: TG152
// expect: other groups of products
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"loop_adds_groups">(tg::block<128>, [](auto block, tg::out<float> y) {
  const auto a = tg::shared<tg::f16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
  const auto b = tg::shared<tg::f16>(tg::shape<8, 64>, tg::swizzle<3, 3, 3>);
  tg::group_accumulator<64, 8, float> sum = 0.0f;
  auto flight = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(b));
  auto rest = tg::for_groups(tg::range(4u), std::move(flight), [&](auto, auto groups) {
    auto two = groups.then(tg::k_major(a), tg::k_major(b));
#ifdef TG_WRONG
    return two;
#else
    return two.wait(1_c);
#endif
  });
  y(block.thread.x) = rest.wait()(0);
});
