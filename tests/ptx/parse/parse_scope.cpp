#include <tg/ptx/parse/parse_scope.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;
using detail::scopes;

TEST_CASE("names shadow each other in nested scopes") {
  function f;
  scopes s(f);
  CHECK(s.declare("x", {operand_kind::reg, 1}));
  CHECK_FALSE(s.declare("x", {operand_kind::reg, 2}));
  s.open();
  CHECK(s.find("x")->id == 1);
  CHECK(s.declare("x", {operand_kind::reg, 3}));
  CHECK(s.find("x")->id == 3);
  s.close();
  CHECK(s.find("x")->id == 1);
  CHECK_FALSE(s.find("y").has_value());
}

TEST_CASE("a range makes the registers that are named, and no others") {
  function f;
  scopes s(f);
  CHECK(s.declare_range("%r", token::b32, 4000000000));
  CHECK(s.declare_range("%r1", token::f32, 3));
  CHECK_FALSE(s.declare_range("%r", token::b32, 5));
  CHECK(f.registers.empty());
  const auto a = s.find("%r7");
  REQUIRE(a.has_value());
  CHECK(s.find("%r7")->id == a->id);
  CHECK(f.registers.size() == 1);
  CHECK(f.registers[s.find("%r3999999999")->id].type == token::b32);
  CHECK_FALSE(s.find("%r4000000000").has_value());
  CHECK_FALSE(s.find("%r07").has_value());
  CHECK_FALSE(s.find("%r").has_value());
  CHECK_FALSE(s.find("%r99999999999999999999").has_value());
  CHECK(s.find("%r0").has_value());
}

TEST_CASE("labels are looked up from where they are used, outwards") {
  function f;
  scopes s(f);
  s.open();
  const auto inner = s.current();
  s.close();
  CHECK(s.define_label("top", 0));
  CHECK_FALSE(s.define_label("top", 1));
  CHECK(s.find_label("top", inner) == 0u);
  CHECK_FALSE(s.find_label("bottom", inner).has_value());
}
