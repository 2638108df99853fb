// A named element is the struct that was read; storing to the name stores nowhere.
// expect: TG136
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel = tg::kernel<"named_struct">(tg::block<32>, [](auto block, tg::inout<point> p) {
#ifdef TG_WRONG
  auto own = p(block.thread.x);
  own = tg::make_struct<point>(1.0f, 2.0f);
#else
  p(block.thread.x) = tg::make_struct<point>(1.0f, 2.0f);
#endif
});
