#include <tg/ptx/parse/parse_parameter.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tg/base/dynamic_array.hpp>

using namespace tg::ptx;
using detail::parameters;

namespace {

tg::dynamic_array<variable> read(const std::string& text, parameters kind) {
  detail::lexer in(text);
  module m;
  detail::declarations declarations(in, m);
  tg::dynamic_array<variable> out;
  detail::parameter_list(in, declarations)(out, kind);
  return out;
}

}  // namespace

TEST_CASE("parameters have a type, an alignment and an extent; those of functions may be registers") {
  const auto of_kernel = read("(.param .b32 a, .param .align 8 .b8 b[16])", parameters::of_kernel);
  REQUIRE(of_kernel.size() == 2);
  CHECK(of_kernel[0].name == "a");
  CHECK(of_kernel[0].type == token::b32);
  CHECK(of_kernel[1].align == 8);
  CHECK(of_kernel[1].count == 16);
  CHECK(read("()", parameters::of_kernel).empty());
  const auto of_function = read("(.reg .v2 .f32 v, .param .b8 rest[])", parameters::of_function);
  REQUIRE(of_function.size() == 2);
  CHECK(of_function[0].space == token::reg);
  CHECK(of_function[0].count == 2);
  CHECK(of_function[1].count == -1);
}

TEST_CASE("lists that ptxas refuses are refused") {
  for (const char* text :
       {"(.reg .b32 a)", "(.b32 a)", "(.param .v2 .f32 v)", "(.param .b8 a[2][2])", "(.param .b8 a[])", "(.param .b32 a"})
    CHECK_THROWS_AS_MESSAGE(read(text, parameters::of_kernel), tg::error, text);
  for (const char* text : {"(.reg .pred p)", "(.reg .b32 a[2])", "(.param .f16x2 v)"})
    CHECK_THROWS_AS_MESSAGE(read(text, parameters::of_function), tg::error, text);
  CHECK_THROWS_AS(read("(.param .b8 a[])", parameters::results), tg::error);
  std::string many;
  for (int k = 0; k < 4097; ++k) many += (k == 0 ? ".param .b32 p" : ", .param .b32 p") + std::to_string(k);
  CHECK_THROWS_AS(read("(" + many + ")", parameters::of_function), tg::error);
}
