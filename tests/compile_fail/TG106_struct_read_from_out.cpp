// A write-only view of structs is read.
// expect: TG106
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel =
    tg::kernel<"struct_read_from_out">(tg::block<32>, [](auto block, tg::in<point> p, tg::out<point> q) {
#ifdef TG_WRONG
      q(block.thread.x) = q(block.thread.x + 32u);
#else
  q(block.thread.x) = p(block.thread.x + 32u);
#endif
    });
