// A struct is stored as what it is.
// expect: TG103
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
struct size { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);
BOOST_HANA_ADAPT_STRUCT(size, x, y);

inline constexpr auto kernel =
    tg::kernel<"other_struct">(tg::block<32>, [](auto block, tg::in<size> s, tg::in<point> p, tg::out<point> q) {
#ifdef TG_WRONG
      q(block.thread.x) = s(block.thread.x);
#else
  q(block.thread.x) = p(block.thread.x);
#endif
      (void)s;
    });
