// A field that the language has no type for.
// expect: TG194
// expect: std::array<float, 3>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct body {
#ifdef TG_WRONG
  float position[3];
#else
  std::array<float, 3> position;
#endif
  float mass;
};
BOOST_HANA_ADAPT_STRUCT(body, position, mass);

inline constexpr auto kernel = tg::kernel<"array_field">(
    tg::block<32>, [](auto block, tg::inout<body> p) { p(block.thread.x) = p(block.thread.x + 32u); });
