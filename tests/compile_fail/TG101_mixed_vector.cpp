// A vector of two types.
// expect: TG101
// expect: types<float, unsigned int>
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/value/cast.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"mixed_vector">(tg::block<256>, [](auto block, tg::out<float> y) {
  auto i = block.global_index();
  auto f = tg::cast<float>(i);
#ifdef TG_WRONG
  y.vec<2>(i * 2_c) = tg::make_vec(f, i);
#else
  y.vec<2>(i * 2_c) = tg::make_vec(f, f);
#endif
});
