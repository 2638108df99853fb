#include <tg/dsl/verdict/number_type.hpp>

#include <doctest/doctest.h>

namespace an = tg::analysis;
using tg::ptx::token;

namespace {

tg::ptx::instruction of_type(token type) {
  tg::ptx::instruction i;
  i.op = tg::ptx::opcode::add;
  i.add(type);
  return i;
}

}  // namespace

TEST_CASE("signed numbers round towards zero, and 32 bits wrap") {
  CHECK(tg::detail::is_signed_word(token::s64));
  CHECK_FALSE(tg::detail::is_signed_word(token::u32));
  CHECK(tg::detail::rule_of(of_type(token::s32)) == an::division_rule::towards_zero);
  CHECK(tg::detail::rule_of(of_type(token::u32)) == an::division_rule::unsigned_);
  CHECK(tg::detail::in_register(an::constant(std::int64_t{1} << 40), of_type(token::u64)).offset[0] == std::int64_t{1} << 40);
  const an::lane_value small = tg::detail::in_register(an::constant(7), of_type(token::u32));
  REQUIRE(small.known);
  CHECK(small.offset[0] == 7);
}

TEST_CASE("a division of constants is known at once") {
  const auto divided = [](std::int64_t x, std::int64_t u, an::division_rule rule, bool is_remainder) {
    return tg::detail::divided_at_once(of_type(token::s32), an::constant(x), an::constant(u), rule, is_remainder).offset[0];
  };
  CHECK(divided(17, 5, an::division_rule::unsigned_, false) == 3);
  CHECK(divided(17, 5, an::division_rule::unsigned_, true) == 2);
  CHECK(divided(-17, 5, an::division_rule::towards_zero, false) == -3);
  CHECK(divided(17, 8, an::division_rule::floor_, true) == 1);
  tg::ptx::instruction i;
  CHECK_FALSE(tg::detail::is_division(of_type(token::u32)));
  for (const auto op : {tg::ptx::opcode::rem, tg::ptx::opcode::div}) {
    i.op = op;
    CHECK(tg::detail::is_division(i));
  }
  CHECK(tg::detail::is_power_of_two(an::constant(8)));
  CHECK_FALSE(tg::detail::is_power_of_two(an::constant(6)));
}
