// The member is one of another struct than the value.
// expect: TG196
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct point { float x, y; };
struct particle { float x, m; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);
BOOST_HANA_ADAPT_STRUCT(particle, x, m);

inline constexpr auto kernel =
    tg::kernel<"value_of_another_struct">(tg::block<32>, [](auto block, tg::in<particle> p, tg::out<float> y) {
      const auto own = tg::let(p(block.thread.x));
#ifdef TG_WRONG
      y(block.thread.x) = own(&point::x);
#else
  y(block.thread.x) = own(&particle::x);
#endif
    });
