// Structs of 32 bytes side by side: their halves of 16 bytes lie in every other group of four banks.
// expect: TG201
// expect: struct_bytes<32>
// expect: odd number of 16-byte pieces
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/structs/struct_element.hpp>

struct quad {
  double a, b, c, d;
#ifndef TG_WRONG
  double padding, more;
#endif
};
#ifdef TG_WRONG
BOOST_HANA_ADAPT_STRUCT(quad, a, b, c, d);
#else
BOOST_HANA_ADAPT_STRUCT(quad, a, b, c, d, padding, more);
#endif

inline constexpr auto kernel = tg::kernel<"structs_of_32_bytes">(tg::block<32>, [](auto block, tg::in<quad> p) {
  auto tile = tg::shared<quad>(tg::shape<32>);
  tile(block.thread.x) = p(block.thread.x);
});
