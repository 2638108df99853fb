#include <tg/dsl/proof/form.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("forms add, and a column of equal numbers is one number") {
  const pf::form a = pf::add(pf::single(3, 4), pf::each({0, 1, 2}));
  const pf::form b = pf::add(a, pf::single(3, 4), -1);
  CHECK(a.at(2) == 2);
  CHECK_FALSE(a.is_exact());
  CHECK(b.is_exact());
  CHECK_FALSE(b.is_number());
  CHECK(pf::add(b, pf::each({0, 1, 2}), -1).is_number());
  CHECK(pf::each({7, 7}) == pf::constant(7));
  CHECK(pf::scaled(a, 3) == pf::add(pf::single(3, 12), pf::each({0, 3, 6})));
  CHECK(pf::values_of(b, 3) == pf::form::column{0, 1, 2});
}

TEST_CASE("what does not fit is broken, and stays so") {
  const pf::form large = pf::single(1, pf::number{1} << 40);
  const pf::form broken = pf::scaled(large, pf::number{1} << 40);
  CHECK(broken.is_broken);
  CHECK(pf::add(broken, pf::constant(1)).is_broken);
  CHECK_FALSE(broken == broken);
  CHECK(pf::add(pf::each({0, pf::number{1} << 59}), pf::each({0, pf::number{1} << 59}), 3).is_broken);
  CHECK_FALSE(pf::scaled(large, 1 << 10).is_broken);
}
