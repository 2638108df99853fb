#include <tg/ptx/ir/opcode_table.hpp>

#include <doctest/doctest.h>

#include <iterator>

using tg::ptx::effect;
using tg::ptx::opcode;
using tg::ptx::row_of;
namespace trait = tg::ptx::trait;

TEST_CASE("each opcode has its own row") {
  CHECK(tg::ptx::detail::opcode_rows.size() == std::size(tg::ptx::opcode_names));
  CHECK(row_of(opcode::none).does == effect::control);
  CHECK(row_of(opcode::fma).flops == 2);
  CHECK(row_of(opcode::assume).does == effect::ordered);
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
