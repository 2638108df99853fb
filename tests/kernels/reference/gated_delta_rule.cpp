#include <kernels/reference/gated_delta_rule.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("a token by hand") {
  // S = (1 2; 3 4), faded to a half. The key finds (0.5, 1) + 2 * (1.5, 2) = (3.5, 5) of the value (5.5, 5).
  delta_state state{{1, 2, 3, 4}, {0, 0, 0, 0}};
  const double q[] = {0, 1}, k[] = {1, 2}, v[] = {5.5, 5};
  const auto out = gated_delta_step(state, {2, 2}, q, k, v, 0.5, 0.5, 4);
  CHECK((state.value == std::vector<double>{1.5, 1, 3.5, 2}));
  CHECK((out.value == std::vector<double>{3.5, 2}));  // the second row
  for (const double error : out.error) CHECK((error > 0 && error < 1e-5));
}

TEST_CASE("a rate of 1 and a key of length 1: the key then finds the value") {
  delta_state state{{0.3, -0.7, 0.2, 0.9}, {0, 0, 0, 0}};
  const double k[] = {0.6, 0.8}, v[] = {2, -3};
  const auto out = gated_delta_step(state, {2, 2}, k, k, v, 0.9, 1, 4);
  CHECK(out.value[0] == doctest::Approx(2));
  CHECK(out.value[1] == doctest::Approx(-3));
}
