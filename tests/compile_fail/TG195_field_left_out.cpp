// A field that the adaptation does not name would be overwritten by each store of a struct.
// expect: TG195
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y, z; };
#ifdef TG_WRONG
BOOST_HANA_ADAPT_STRUCT(point, x, y);
#else
BOOST_HANA_ADAPT_STRUCT(point, x, y, z);
#endif

inline constexpr auto kernel = tg::kernel<"field_left_out">(
    tg::block<32>, [](auto block, tg::inout<point> p) { p(block.thread.x) = p(block.thread.x + 32u); });
