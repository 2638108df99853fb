#include <tg/dsl/proof/values.hpp>

#include <doctest/doctest.h>
#include <tg/ptx/ir/module.hpp>

namespace pf = tg::proof;

TEST_CASE("a register that is read without having been written keeps one unknown number") {
  tg::ptx::module m;
  m.functions.emplace_back().registers.push_back({.type = tg::ptx::token::b32});
  const auto never = tg::ptx::operand::reg(0);
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(m.functions[0], {4, 1, 1}, none);
  const pf::form first = v.form_of(never);
  REQUIRE(first.terms.size() == 1);
  CHECK(v.form_of(never) == first);
  CHECK_FALSE(v.is_uniform(v[never.id]));
}

TEST_CASE("a register that one of two ways set holds what each thread's way gave it") {
  tg::ptx::function f;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {8, 1, 1}, none);
  const auto low = v.predicates().known(pf::first_threads(3));
  const pf::value both = v.blend(low, v.integer(pf::constant(10)), v.integer(pf::constant(20)));
  REQUIRE(v.exact(both) != nullptr);
  CHECK(v.exact(both)->at(2) == 10);
  CHECK(v.exact(both)->at(3) == 20);
  CHECK_FALSE(v.is_uniform(both));

  const auto by_data = v.predicates().data(false);
  const pf::value either = v.blend(by_data, v.integer(pf::constant(10)), v.integer(pf::constant(20)));
  CHECK(v.exact(either) == nullptr);
  CHECK_FALSE(v.is_uniform(either));
  CHECK(v.blend(by_data, pf::values::data(true), pf::values::data(true)).what == pf::value::kind::data);
}

TEST_CASE("a place inside a variable is that far behind where the variable begins") {
  tg::ptx::function f;
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {8, 1, 1}, none);
  tg::ptx::operand begin{.kind = tg::ptx::operand_kind::variable, .id = 0};
  tg::ptx::operand later = begin;
  later.value = 4096;
  CHECK(v.form_of(later) == pf::add(v.form_of(begin), pf::constant(4096)));
  CHECK_FALSE(v.form_of(later) == v.form_of(begin));
}
