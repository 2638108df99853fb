// An excuse for a bank conflict on a global access.
// expect: TG202
// expect: sectors<32>
#include <tg/dsl/kernel/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel =
    tg::kernel<"excuse_of_another_code">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
      auto i = block.global_index();
#ifdef TG_WRONG
      y(i) = x(i * 16_c, tg::allow<tg::TG201>("one element of each row"));
#else
  y(i) = x(i * 16_c, tg::allow<tg::TG202>("one element of each row"));
#endif
    });
