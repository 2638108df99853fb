// The member is one of another struct than the view holds.
// expect: TG196
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
struct particle { float x, m; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);
BOOST_HANA_ADAPT_STRUCT(particle, x, m);

inline constexpr auto kernel =
    tg::kernel<"field_of_another_struct">(tg::block<32>, [](auto block, tg::in<particle> p, tg::out<float> y) {
#ifdef TG_WRONG
      y(block.thread.x) = p(0u, &point::x);
#else
  y(block.thread.x) = p(0u, &particle::x);
#endif
    });
