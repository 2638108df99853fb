#include <tg/ptx/print/print_variable.hpp>

#include <doctest/doctest.h>

#include "../everything.hpp"

using namespace tg::ptx;

namespace {

std::string shown(const variable& v) {
  module m;
  m.variables = {test::make_variable(token::global, token::b32, "target")};
  detail::text_out out;
  detail::variable_printer(m, out).put_module_variable(v);
  return out.take();
}

}  // namespace

TEST_CASE("initial values have the width of their type") {
  variable v = test::make_variable(token::global, token::u16, "v", 3);
  v.initial = test::bytes({1, 2, 255, 255});
  CHECK(shown(v) == ".global .u16 v[3] = {513, 65535};\n");
  v = test::make_variable(token::const_, token::f64, "v");
  v.initial = test::bytes({0, 0, 0, 0, 0, 0, 0, 0x40});
  CHECK(shown(v) == ".const .f64 v = 0d4000000000000000;\n");
}

TEST_CASE("addresses stand in their elements") {
  variable v = test::make_variable(token::global, token::u64, "v", 2);
  v.initial.resize(16);
  v.relocations = {{8, operand::named(operand_kind::variable, 0), false}};
  v.relocations[0].target.value = -4;
  CHECK(shown(v) == ".global .u64 v[2] = {0, target-4};\n");
}

TEST_CASE("parameters in a list and one per line") {
  module m;
  detail::text_out out;
  detail::variable_printer printer(m, out);
  printer.put_parameters(
      {test::make_variable(token::none, token::b32, "a"), test::make_variable(token::none, token::b8, "", 4)}, false);
  printer.put_parameters({test::make_variable(token::none, token::b32, "a")}, true);
  printer.put_parameters({}, true);
  CHECK(out.take() == "(.param .b32 a, .param .b8 _x[4])(\n\t.param .b32 a\n)()");
}
