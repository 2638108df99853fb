#include <tg/ptx/parse/unique_names.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("a name that is taken gets a number, and names of the module are taken") {
  detail::module_names module_names;
  module_names.emplace("x", operand{});
  detail::unique_names names(module_names);
  CHECK(names.make("x") == "x_1");
  CHECK(names.make("x") == "x_2");
  CHECK(names.make("y") == "y");
  names.take("z");
  CHECK(names.make("z") == "z_1");
  CHECK(names.make("%r") == "_r");
  CHECK(names.make("%r") == "_r_1");
}
