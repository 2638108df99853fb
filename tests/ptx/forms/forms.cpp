#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>

#include <tg/ptx/meaning/effect.hpp>

#include "../forms_judge.hpp"

using namespace tg::ptx;

namespace {

instruction make(opcode op, std::initializer_list<token> tokens, int operands = 0) {
  instruction i(op, tokens, {});
  for (int k = 0; k < operands; ++k) i.add(operand::integer(0));
  return i;
}

}  // namespace

TEST_CASE("a form is found or refused") {
  CHECK(find_form(make(opcode::add, {token::sat, token::s32})) != nullptr);
  CHECK(find_form(make(opcode::add, {token::sat, token::u32})) == nullptr);
  CHECK(find_form(make(opcode::bra, {})) != nullptr);
  CHECK(find_form(make(opcode::bra, {token::uni})) != nullptr);
  CHECK(find_form(make(opcode::bra, {token::f32})) == nullptr);
  CHECK(find_form(make(opcode::ret, {token::f32})) == nullptr);
  CHECK(find_form(make(opcode::tex, {token::_2d})) == nullptr);
  CHECK(find_form(make(opcode::cvt, {token::rn, token::f32, token::f16})) == nullptr);  // widening takes no rounding
  CHECK(find_form(make(opcode::ld, {token::global, token::f16})) == nullptr);
  CHECK(find_form(make(opcode::ld, {token::global, token::v4, token::b32})) != nullptr);
  CHECK(find_form(make(opcode::ld, {token::global, token::v4, token::b64})) == nullptr);  // more than 16 bytes
}

TEST_CASE("forms that differ in their operands only are told apart by their number") {
  const form* without = find_form(make(opcode::bar, {token::red, token::popc, token::u32}, 3));
  const form* with = find_form(make(opcode::bar, {token::red, token::popc, token::u32}, 4));
  REQUIRE(without != nullptr);
  REQUIRE(with != nullptr);
  CHECK(without->operand_count == 3);
  CHECK(with->operand_count == 4);
  CHECK(with->spelling() == "bar[.cta].red.popc.u32 d,a,b,!q");
}

TEST_CASE("modifiers in another order are put into the manual's") {
  instruction i = make(opcode::atom, {token::add, token::release, token::gpu, token::u32});
  CHECK(find_form(i) == nullptr);
  REQUIRE(reorder_tokens(i));
  CHECK(i.token_array[0] == token::release);
  CHECK(i.token_array[1] == token::gpu);
  CHECK(i.token_array[2] == token::add);
  CHECK(i.token_array[3] == token::u32);

  instruction wrong = make(opcode::atom, {token::add, token::release, token::release, token::u32});
  CHECK_FALSE(reorder_tokens(wrong));
  CHECK(wrong.token_array[0] == token::add);
}

TEST_CASE("the types of a conversion keep their order") {
  instruction i = make(opcode::cvt, {token::f32, token::rn, token::s32});
  REQUIRE(reorder_tokens(i));
  CHECK(i.token_array[1] == token::f32);
  CHECK(i.token_array[2] == token::s32);
  instruction narrowing = make(opcode::cvt, {token::rn, token::f32, token::f16});  // must not become f16.f32
  CHECK_FALSE(reorder_tokens(narrowing));
}

TEST_CASE("every instruction that 695 public programs use is in the table, but textures") {
  std::ifstream in("tests/ptx/data/ptx_forms_used.csv");
  std::string line;
  std::getline(in, line);
  int covered = 0, textures = 0;
  while (std::getline(in, line)) {
    const std::string text = line.substr(0, line.find(','));
    CAPTURE(text);
    std::string_view rest = text;
    const std::string_view word = rest.substr(0, rest.find('.'));
    instruction i;
    i.op = to_opcode(word);
    REQUIRE(i.op != opcode::none);
    rest.remove_prefix(word.size());
    while (!rest.empty()) {
      const std::string_view modifier = rest.substr(1, rest.find('.', 1) - 1);
      REQUIRE(to_token(modifier) != token::none);
      i.add(to_token(modifier));
      rest.remove_prefix(modifier.size() + 1);
    }
    if (has_trait(i.op, trait::texture)) {
      ++textures;
      continue;
    }
    const bool known = find_form(i.op, i.tokens()) != nullptr || reorder_tokens(i);
    CHECK(known);
    covered += known ? 1 : 0;
  }
  CHECK(covered == 659);
  CHECK(textures == 17);
}

TEST_CASE("the judges can say no") {
  CHECK(test::table_sm("add.sat.u32") == 0);
  CHECK(test::table_sm("add.sat.s32") == 50);
  CHECK(test::table_sm("bar.arrive 1") == 0);
  CHECK(test::table_sm("mov.u32 %r0, %cluster_ctarank") == 90);
  if (!test::has_ptxas()) {
    MESSAGE("ptxas is not there: skipped");
    return;
  }
  const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.reg .b32 %r<3>;\n";
  CHECK(test::ask_ptxas(head + "add.sat.s32 %r0, %r1, %r2;\n}\n", "sm_80").accepted);
  const test::verdict no = test::ask_ptxas(head + "add.sat.u32 %r0, %r1, %r2;\n}\n", "sm_80");
  CHECK_FALSE(no.accepted);
  CHECK(no.log.find("add.sat.u32") != std::string::npos);
}
