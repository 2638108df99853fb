#include <tg/ptx/ir/opcode_table.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/ir/opcode_name.hpp>

#include <iterator>
#include <string>

using tg::ptx::calculation;
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
    if (row.computes != calculation::other) {
      CHECK(row.does == effect::pure);
      CHECK(row.kind == tg::ptx::instruction_class::arithmetic);
    }
    if (row.is(trait::branch)) CHECK(row.is(trait::jumps));
    if (row.is(trait::calls)) CHECK(row.does == effect::control);
    if (row.is(trait::copies)) CHECK(row.does == effect::writes_memory);
    if (row.flops != 0) CHECK(row.does == effect::pure);
    CHECK(row.cycles > 0);
  }
}

TEST_CASE("textures are known") {
  CHECK(has_trait(opcode::tex, trait::texture));
  CHECK(has_trait(opcode::sust, trait::texture));
  CHECK_FALSE(has_trait(opcode::st, trait::texture));
}

namespace {

std::string opcodes_that(bool (*holds)(opcode)) {
  std::string out;
  for (std::size_t n = 0; n < std::size(tg::ptx::opcode_names); ++n)
    if (const auto op = static_cast<opcode>(n); holds(op)) out.append(out.empty() ? "" : " ").append(name(op));
  return out;
}

}  // namespace

TEST_CASE("no two opcodes make the same calculation") {
  for (int n = 0; n < static_cast<int>(calculation::other); ++n) {
    CAPTURE(n);
    int opcodes = 0;
    for (const auto& row : tg::ptx::detail::opcode_rows) opcodes += row.computes == static_cast<calculation>(n);
    CHECK(opcodes == 1);
  }
  CHECK(computes(opcode::mad, calculation::mul_add));
  CHECK(computes(opcode::fma, calculation::fused_mul_add));
  CHECK_FALSE(computes(opcode::mul24, calculation::mul));
  CHECK_FALSE(computes(opcode::addc, calculation::add));
}

TEST_CASE("who loads, stores, copies, jumps and calls") {
  CHECK(opcodes_that(tg::ptx::is_load) == "ld");
  CHECK(opcodes_that(tg::ptx::is_store) == "st");
  CHECK(opcodes_that([](opcode op) { return has_trait(op, trait::copies); }) == "cp");
  CHECK(opcodes_that([](opcode op) { return has_trait(op, trait::jumps); }) == "bra brx");
  CHECK(opcodes_that([](opcode op) { return has_trait(op, trait::branch); }) == "bra");
  CHECK(opcodes_that([](opcode op) { return has_trait(op, trait::calls); }) == "call");
}
