// Every other struct of 72 bytes: each uses parts of its first and last sector.
// expect: TG202
// expect: ideal_sectors<72>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/structs/struct_element.hpp>

using namespace tg::literals;

struct large { double a, b, c, d, e, f, g, h, i; };
BOOST_HANA_ADAPT_STRUCT(large, a, b, c, d, e, f, g, h, i);

inline constexpr auto kernel = tg::kernel<"every_second_struct">(tg::block<32>, [](auto block, tg::inout<large> p) {
#ifdef TG_WRONG
  p(block.thread.x * 2_c) = p(block.thread.x);
#else
  p(block.thread.x + 32_c) = p(block.thread.x);
#endif
});
