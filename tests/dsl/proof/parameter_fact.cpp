#include <tg/dsl/proof/parameter_fact.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("a parameter promises nothing of itself") {
  const pf::parameter_fact p;
  CHECK(p.what == pf::parameter_fact::kind::scalar);
  CHECK(p.least_elements == 0);
  CHECK(p.multiple_of == 1);
}
