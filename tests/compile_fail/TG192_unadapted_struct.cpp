// A view of a struct whose fields nobody has named.
// expect: TG192
// expect: BOOST_HANA_ADAPT_STRUCT
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct particle { float x, y, z, m; };
#ifndef TG_WRONG
BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);
#endif

inline constexpr auto kernel = tg::kernel<"unadapted_struct">(
    tg::block<32>,
    [](auto block, tg::in<particle> p, tg::out<float> y) { y(block.thread.x) = p(block.thread.x)(&particle::m); });
