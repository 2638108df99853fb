#include <tg/dsl/proof/loop_registers.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a counter begins a later iteration with what it held before the loop and its steps") {
  tg::ptx::function f;
  f.registers.push_back({.type = tg::ptx::token::b32});
  f.registers.push_back({.type = tg::ptx::token::b32});
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(f, {32, 1, 1}, none);
  v.set(0, v.integer(pf::constant(5)));
  v.set(1, v.integer(pf::constant(9)));
  const tg::dynamic_array<std::uint32_t> variables{0, 1};
  const auto entry = pf::hold(v, variables);

  const pf::stepped counter{.reg = 0, .step = tg::ptx::operand::integer(3)};
  CHECK(v.form_of(tg::ptx::operand::reg(0)).base == 5);
  CHECK(v.exact(pf::stepped_by(v, counter, pf::constant(4)))->base == 17);

  const tg::ptx::function empty;
  pf::loop_shape shape(empty, pf::structure(empty), 0, 0);
  shape.counters.push_back(counter);
  shape.others.push_back(1);
  pf::start_iterations(v, shape, pf::constant(2), variables, entry, {pf::values::data(true)});
  CHECK(v.exact(v[0])->base == 11);
  CHECK(v[1].what == pf::value::kind::data);

  pf::put_back(v, variables, entry);
  CHECK(v.exact(v[0])->base == 5);
  CHECK(v.exact(v[1])->base == 9);
}
