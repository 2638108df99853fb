#include <tg/ptx/parse/parse_body.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tg/base/dynamic_array.hpp>

using namespace tg::ptx;
using detail::function_body;
using detail::word;

namespace {

/// A body whose text is `words`, one on a line.
struct session {
  explicit session(const char* words) : in(words) {}

  word next() { return in.take(); }
  tg::dynamic_array<opcode> opcodes() const {
    tg::dynamic_array<opcode> out;
    for (const instruction& i : f.body) out.push_back(i.op);
    return out;
  }

  function f;
  tg::dynamic_array<std::uint32_t> lines;
  detail::lexer in;
  detail::scopes scopes{f};
  detail::module_names names;
  function_body body{in, f, lines};
};

instruction made(opcode op) { return {op, {}, {}}; }

}  // namespace

TEST_CASE("instructions stand at the line of their name; those in front of one, at the line that is read") {
  session s("first\nsecond\nthird");
  s.body.place({1, 70});
  s.body.open(s.next()).op = opcode::ret;
  s.body.open(s.next()).op = opcode::exit;
  s.body.place({1, 80});
  s.body.put_in_front({made(opcode::add), made(opcode::sub)});
  CHECK(s.opcodes() == tg::dynamic_array{opcode::ret, opcode::add, opcode::sub, opcode::exit});
  CHECK(s.lines == tg::dynamic_array<std::uint32_t>{1, 3, 3, 2});
  CHECK(s.f.body[3].where == location{1, 70});
  CHECK(s.f.body[1].where == location{1, 80});
  s.body.put_in_front({});
  CHECK(s.f.body.size() == 4);
}

TEST_CASE("what replaces an instruction stands at its line") {
  session s("first\nsecond");
  s.body.open(s.next()).op = opcode::mov;
  s.body.replace_last({made(opcode::add), made(opcode::sub)});
  CHECK(s.opcodes() == tg::dynamic_array{opcode::add, opcode::sub});
  CHECK(s.lines == tg::dynamic_array<std::uint32_t>{1, 1});
}

TEST_CASE("a label is found though it is written further down, and its reader was moved") {
  session s("bra\nlater\nend");
  s.body.open(s.next()).op = opcode::bra;
  const word name = s.next();
  s.body.await(name, false, s.scopes.current());
  s.body.last().add(operand::named(operand_kind::label, 0));
  s.body.put_in_front({made(opcode::add)});
  s.f.elements.assign(2, operand::named(operand_kind::label, 0));
  s.body.await_element(name, 1, s.scopes.current());
  s.scopes.define_label("later", 7);
  s.body.resolve(s.scopes, s.names);
  CHECK(s.f.body[1][0].id == 7);
  CHECK(s.f.elements[0].id == 0);
  CHECK(s.f.elements[1].id == 7);
}

TEST_CASE("a table is found; a label or table that is nowhere is an error") {
  for (const bool is_table : {false, true}) {
    session s("brx\ntargets");
    s.body.open(s.next()).op = opcode::brx;
    s.body.await(s.next(), is_table, s.scopes.current());
    s.body.last().add(operand::named(operand_kind::label, 0));
    CHECK_THROWS_AS(s.body.resolve(s.scopes, s.names), tg::error);
    const operand list = operand::named(operand_kind::vector, 4);
    s.scopes.define_table("targets", list);
    if (!is_table) CHECK_THROWS_AS(s.body.resolve(s.scopes, s.names), tg::error);
    if (!is_table) continue;
    s.body.resolve(s.scopes, s.names);
    CHECK(s.f.body[0][0] == list);
  }
}
