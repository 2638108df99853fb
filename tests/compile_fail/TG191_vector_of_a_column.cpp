// A vector down a column.
// expect: TG191
// expect: neighbours along the last dimension
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/subview.hpp>

inline constexpr auto kernel =
    tg::kernel<"vector_of_a_column">(tg::block<32>, [](auto block, tg::in2<float, tg::multiple_of<4>> m) {
      using namespace tg::literals;
#ifdef TG_WRONG
      (void)tg::subview(m, tg::full_extent, 0_c).vec<4>(block.thread.x * 4_c);
#else
  (void)tg::subview(m, 0_c, tg::full_extent).vec<4>(block.thread.x * 4_c);
#endif
    });
