#include <tg/ptx/forms/operand_rule.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string_view>
#include <tg/base/dynamic_array.hpp>

using namespace tg::ptx;

namespace {

tg::dynamic_array<operand_rule> rules(std::string_view text) {
  tg::dynamic_array<operand_rule> out;
  while (!text.empty()) out.push_back(detail::next_rule(text));
  return out;
}

constexpr std::array cvt_types = {token::rn, token::f32, token::s64};

}  // namespace

TEST_CASE("operand lists of the table are read") {
  const auto cvt = rules("d+:U,a+");
  REQUIRE(cvt.size() == 2);
  CHECK(cvt[0].kind == operand_class::destination);
  CHECK(cvt[0].wider);
  CHECK(cvt[0].type(cvt_types) == token::f32);
  CHECK(cvt[1].kind == operand_class::source);
  CHECK(cvt[1].type(cvt_types) == token::s64);

  const auto ld = rules("d+*,[a]");
  REQUIRE(ld.size() == 2);
  CHECK(ld[0].counted);
  CHECK(ld[1].kind == operand_class::address);
  CHECK_FALSE(ld[1].optional);

  const auto bar = rules("a:u32[,b:u32]");
  REQUIRE(bar.size() == 2);
  CHECK_FALSE(bar[0].optional);
  CHECK(bar[1].optional);
  CHECK(bar[1].type({}) == token::u32);

  const auto setp = rules("p|q,a,b,!q");
  REQUIRE(setp.size() == 4);
  CHECK(setp[0].kind == operand_class::predicate);
  CHECK(setp[0].may_pair);
  CHECK_FALSE(setp[0].must_pair);
  CHECK(setp[3].kind == operand_class::predicate_source);
  CHECK(setp[3].type(cvt_types) == token::pred);

  const auto elect = rules("d&p:b32,a:b32");
  REQUIRE(elect.size() == 2);
  CHECK(elect[0].must_pair);
  CHECK(elect[0].fixed == token::b32);

  const auto mma = rules("d{4}:f32,a{2}:b32");
  REQUIRE(mma.size() == 2);
  CHECK(mma[0].vector == 4);
  CHECK(mma[1].fixed == token::b32);

  const auto call = rules("(),F,()[,x]");
  REQUIRE(call.size() == 4);
  CHECK(call[0].kind == operand_class::list);
  CHECK(call[1].kind == operand_class::callee);
  CHECK(call[3].kind == operand_class::prototype);
  CHECK(call[3].optional);

  CHECK(rules("a:u32,L{}")[1].kind == operand_class::label_list);
}

TEST_CASE("a type twice as wide keeps its sign") {
  const auto mul = rules("d:2T,a,b");
  CHECK(mul[0].type(std::array{token::wide, token::s16}) == token::s32);
  CHECK(mul[0].type(std::array{token::wide, token::u32}) == token::u64);
}

TEST_CASE("vector lengths") {
  CHECK(vector_length(std::array{token::global, token::v4, token::f32}) == 4);
  CHECK(vector_length(std::array{token::x2, token::b16}) == 2);
  CHECK(vector_length(std::array{token::global, token::f32}) == 1);
}
