#include <tg/ptx/ir/register_part.hpp>

#include <doctest/doctest.h>

TEST_CASE("parts of registers are read and printed") {
  using tg::ptx::register_part_name, tg::ptx::to_register_part;
  for (const char* text : {"b0", "b3", "h1", "h10", "h32", "b7654", "b310"}) {
    const auto coded = to_register_part(text);
    REQUIRE(coded.has_value());
    CHECK_EQ(register_part_name(*coded), text);
  }
  for (const char* text : {"", "b", "x", "h4", "b8", "h210", "b01234", "u32"}) CHECK_FALSE(to_register_part(text).has_value());
}
