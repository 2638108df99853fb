#include <tg/ptx/parse/parse_operand.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace tg::ptx;

namespace {

struct reader {
  explicit reader(std::string_view text) : in(text) {
    names.declare("r", {operand_kind::reg, function_.new_register(token::b32)});
    names.declare("v", {operand_kind::reg, function_.new_register(token::f32), 2});
    function_.new_register(token::f32);
    names.declare("p", {operand_kind::reg, function_.new_register(token::pred)});
    names.declare("here", {operand_kind::local, 4});
  }
  operand read() { return parser.one_operand(); }

  detail::lexer in;
  function function_;
  detail::scopes names{function_};
  detail::module_names outside{{"there", operand::named(operand_kind::variable, 7)}};
  detail::operand_parser parser{in, function_, names, outside};
};

}  // namespace

TEST_CASE("operands are read") {
  CHECK(reader("r").read() == operand::reg(0));
  CHECK(reader("!p").read() == !operand::reg(3));
  CHECK(reader("-r").read() == !operand::reg(0));
  CHECK(reader("-5").read() == operand::integer(-5));
  CHECK(reader("0f3F800000").read() == operand::f32(1));
  CHECK(reader("1.5").read() == operand::f64(1.5));
  CHECK(reader("_").read().kind == operand_kind::sink);
  CHECK(reader("%tid.x").read() == operand::special(special::tid_x));
  CHECK(reader("%laneid").read() == operand::special(special::laneid));
  CHECK(reader("[r + 4]").read() == operand::address(operand::reg(0), 4));
  CHECK(reader("[here+-4]").read() == operand::address(operand::named(operand_kind::local, 4), -4));
  CHECK(reader("[64]").read().value == 64);
  CHECK(reader("there").read() == operand::named(operand_kind::variable, 7));
  CHECK(reader("there + 8").read().value == 8);
  CHECK(reader("v.y").read() == operand::reg(2));
  CHECK(reader("v").read().value == 2);
  CHECK(reader("{r, _, 5}").read().value == 3);
  CHECK(reader("r|_").read().kind == operand_kind::pair);
}

TEST_CASE("coordinates stand inside the brackets of a tensor map") {
  reader in("[here, {r, 5}]");
  CHECK(in.read().kind == operand_kind::address);
  const auto coordinates = in.parser.take_coordinates();
  REQUIRE(coordinates);
  CHECK(coordinates->base == operand_kind::address);
  CHECK(coordinates->value == 2);
  CHECK_FALSE(in.parser.take_coordinates());
}

TEST_CASE("what is no operand is refused") {
  for (const char* text : {"", ";", "{r", "[r", "[r+1.5]", "nowhere", "%nothing", "v.z", "r.x", "!x5", "r|", "[%x]",
                           "[here, r]", "[here, {r}", "{v}", "v|r", "r|v"})
    CHECK_THROWS_AS_MESSAGE(reader(text).read(), tg::error, text);
}
