// A vector of elements named and stored to.
// expect: TG136
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/vector/vec.hpp>

inline constexpr auto kernel = tg::kernel<"named_vector">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  using namespace tg::literals;
  const auto i = block.global_index() * 4_c;
#ifdef TG_WRONG
  auto e = y.vec<4>(i);
  e = x.vec<4>(i);
#else
  y.vec<4>(i) = x.vec<4>(i);
#endif
});
