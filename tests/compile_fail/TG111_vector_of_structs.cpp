// A vector holds numbers.
// expect: TG111
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel = tg::kernel<"vector_of_structs">(tg::block<32>, [](auto block, tg::in<point> p) {
  using namespace tg::literals;
#ifdef TG_WRONG
  (void)p.vec<2>(block.thread.x * 2_c);
#else
  (void)p(block.thread.x);
#endif
});
