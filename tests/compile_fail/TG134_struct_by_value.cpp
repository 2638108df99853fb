// A struct of registers is captured by value.
// expect: TG134
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>
#include <tg/dsl/structs/struct_var.hpp>

struct point { float x, y; };
BOOST_HANA_ADAPT_STRUCT(point, x, y);

inline constexpr auto kernel = tg::kernel<"struct_by_value">(tg::block<32>, [](auto block, tg::inout<point> p) {
  tg::struct_var<point> own = p(block.thread.x);
#ifdef TG_WRONG
  tg::if_(block.thread.x > 3u, [=]() mutable { own(&point::x) += 1.0f; });
#else
  tg::if_(block.thread.x > 3u, [&] { own(&point::x) += 1.0f; });
#endif
  p(block.thread.x) = own;
});
