// A vector changed in a branch.
// expect: TG127
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/if_.hpp>

inline constexpr auto kernel =
    tg::kernel<"assigned_vector">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      using namespace tg::literals;
      const auto i = block.global_index() * 4_c;
      auto v = x.vec<4>(i).get();
#ifdef TG_WRONG
      tg::if_(i < n, [&] { v = x.vec<4>(i + 4_c).get(); });
      y.vec<4>(i) = v;
#else
  y.vec<4>(i) = v;
  tg::if_(i < n, [&] { y.vec<4>(i) = x.vec<4>(i + 4_c).get(); });
#endif
    });
