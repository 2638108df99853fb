// A struct that C++ makes by a constructor has no fields that a kernel could fill.
// expect: TG193
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point {
#ifdef TG_WRONG
  point(float x, float y) : x(x), y(y) {}
#endif
  float x, y;
};
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel = tg::kernel<"struct_with_constructor">(
    tg::block<32>, [](auto block, tg::inout<point> p) { p(block.thread.x) = p(block.thread.x + 32u); });
