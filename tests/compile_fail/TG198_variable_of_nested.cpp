// A variable of structs has numbers as fields.
// expect: TG198
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>
#include <tg/dsl/structs/struct_var.hpp>

struct body {
#ifdef TG_WRONG
  std::array<float, 2> at;
#else
  float at;
#endif
  float mass;
};
BOOST_HANA_ADAPT_STRUCT(body, at, mass);

inline constexpr auto kernel = tg::kernel<"variable_of_nested">(tg::block<32>, [](auto block, tg::in<body> p) {
  tg::struct_var<body> own = p(block.thread.x);
  own(&body::mass) += 1.0f;
});
