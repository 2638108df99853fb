// An excuse without a reason.
// expect: TG206
// expect: needs a reason
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"excuse_without_reason">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i * 2_c, tg::allow<tg::TG202>(""));
#else
  y(i) = x(i * 2_c, tg::allow<tg::TG202>("both halves are read"));
#endif
    });
