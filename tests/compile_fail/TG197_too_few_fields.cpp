// A struct made of fewer values than it has fields.
// expect: TG197
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y, z; };
BOOST_HANA_ADAPT_STRUCT(point, x, y, z);

inline constexpr auto kernel = tg::kernel<"too_few_fields">(tg::block<32>, [](auto block, tg::out<point> p) {
#ifdef TG_WRONG
  p(block.thread.x) = tg::make_struct<point>(1.0f, 2.0f);
#else
  p(block.thread.x) = tg::make_struct<point>(1.0f, 2.0f, 3.0f);
#endif
});
