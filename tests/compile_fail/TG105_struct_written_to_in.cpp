// A read-only view of structs is written.
// expect: TG105
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel =
    tg::kernel<"struct_written_to_in">(tg::block<32>, [](auto block, tg::in<point> p, tg::out<point> q) {
#ifdef TG_WRONG
      p(block.thread.x) = tg::make_struct<point>(1.0f, 2.0f);
#else
  q(block.thread.x) = tg::make_struct<point>(1.0f, 2.0f);
#endif
    });
