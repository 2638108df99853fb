// A struct of registers whose header is not included.
// expect: TG139: include tg/dsl/structs/struct_var.hpp
#include <tg/dsl/kernel/kernel.hpp>

#include <tg/dsl/structs/struct_value.hpp>
#ifndef TG_WRONG
#include <tg/dsl/structs/struct_var.hpp>
#endif

struct particle { float x, y; };
BOOST_HANA_ADAPT_STRUCT(particle, x, y);

inline constexpr auto kernel = tg::kernel<"forgotten">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  const auto i = block.thread.x;
  [[maybe_unused]] tg::struct_var<particle> p = tg::make_struct<particle>(x(i), x(i));
  y(i) = x(i);
});
