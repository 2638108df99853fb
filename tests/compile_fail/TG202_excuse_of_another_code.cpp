// An excuse for a bank conflict on a global access.
// expect: TG202
// expect: sectors<9>
#include <tg/dsl/kernel.hpp>

using namespace tg::literals;

inline constexpr auto kernel = tg::kernel<"excuse_of_another_code">(tg::block<256>,
    [](auto block, tg::in<float> x, tg::out<float> y) {
  auto i = block.global_index();
#ifdef TG_WRONG
  y(i) = x(i * 2_c, tg::allow<tg::TG201>("both halves are read"));
#else
  y(i) = x(i * 2_c, tg::allow<tg::TG202>("both halves are read"));
#endif
});
