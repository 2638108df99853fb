#include <tg/ptx/opcode.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using tg::ptx::effect;
using tg::ptx::opcode;
using tg::ptx::row_of;
namespace trait = tg::ptx::trait;

TEST_CASE("every opcode is found by its spelling") {
  for (std::size_t i = 1; i < std::size(tg::ptx::opcode_names); ++i) {
    const auto op = static_cast<opcode>(i);
    CHECK(tg::ptx::to_opcode(name(op)) == op);
  }
  CHECK(tg::ptx::to_opcode("retire") == opcode::none);
  CHECK(tg::ptx::to_opcode("and") == opcode::and_);
}

TEST_CASE("markers are told from instructions") {
  CHECK(is_marker(opcode::if_));
  CHECK(is_marker(opcode::endloop));
  CHECK_FALSE(is_marker(opcode::label));
  CHECK_FALSE(is_marker(opcode::add));
  CHECK_FALSE(is_marker(opcode::none));
}

TEST_CASE("no two opcodes have one name") {
  std::set<std::string_view> names;
  for (const char* name : tg::ptx::opcode_names) CHECK(names.insert(name).second);
  CHECK(names.size() == tg::ptx::detail::opcode_rows.size());
}

TEST_CASE("each row keeps to what its columns mean") {
  for (std::size_t n = 0; n < std::size(tg::ptx::opcode_names); ++n) {
    const auto op = static_cast<opcode>(n);
    const tg::ptx::opcode_row& row = row_of(op);
    CAPTURE(name(op));
    if (is_marker(op)) CHECK(row.does == effect::control);
    if (row.is(trait::jumps | trait::leaves)) CHECK(row.does == effect::control);
    if (row.is(trait::commutative | trait::cheap | trait::bitwise | trait::carries_up)) CHECK(row.does == effect::pure);
    if (row.is(trait::meets_block)) CHECK(row.does == effect::synchronizes);
    if (row.does == effect::pure) CHECK(row.results == 1);
    if (row.does == effect::writes_memory) CHECK(row.results == 0);
    if (row.flops != 0) CHECK(row.does == effect::pure);
    CHECK(row.cycles > 0);
  }
}

TEST_CASE("textures are known") {
  CHECK(has_trait(opcode::tex, trait::texture));
  CHECK(has_trait(opcode::sust, trait::texture));
  CHECK_FALSE(has_trait(opcode::st, trait::texture));
}
