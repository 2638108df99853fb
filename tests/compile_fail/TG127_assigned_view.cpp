// Two views exchanged in a loop.
// expect: TG127
// expect: a view or tile cannot be assigned
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/flow/for_.hpp>

inline constexpr auto kernel =
    tg::kernel<"assigned_view">(tg::block<256>, [](auto block, tg::inout<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
      const auto i = block.global_index();
      tg::for_(tg::range(n), [&](auto) {
        y(i) = x(i) * 0.5f;
#ifdef TG_WRONG
        x = y;
#else
    x(i) = y(i) * 0.5f;
#endif
      });
    });
