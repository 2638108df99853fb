// A word with a type argument whose header is not included.
// expect: TG139: include tg/dsl/structs/struct_value.hpp
#include <tg/dsl/kernel/kernel.hpp>

#ifndef TG_WRONG
#include <tg/dsl/structs/struct_element.hpp>
#endif

struct pair_of_floats { float a, b; };
#ifndef TG_WRONG
BOOST_HANA_ADAPT_STRUCT(pair_of_floats, a, b);
#endif

inline constexpr auto kernel =
    tg::kernel<"forgotten">(tg::block<256>, [](auto block, tg::in<float> x, [[maybe_unused]] tg::out<float> y) {
      const auto i = block.thread.x;
      [[maybe_unused]] const auto two = tg::make_struct<pair_of_floats>(x(i), x(i));
#ifndef TG_WRONG
      y(i) = two(&pair_of_floats::a);
#endif
    });
