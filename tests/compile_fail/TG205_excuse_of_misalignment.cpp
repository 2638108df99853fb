// An excuse for what cannot be excused.
// expect: TG205
// expect: only TG201 and TG202
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"excuse_of_misalignment">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i * 2_c, tg::allow<203>("the view begins at an odd element"));
#else
  y(i) = x(i * 2_c, tg::allow<tg::TG202>("both halves are read"));
#endif
    });
