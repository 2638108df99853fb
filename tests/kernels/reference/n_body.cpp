#include <kernels/reference/n_body.hpp>

#include <doctest/doctest.h>

using tg::kernels::reference::n_body;

TEST_CASE("two bodies pull on each other by the square of the distance") {
  const auto found = n_body({0, 0, 0, 2, 3, 4, 0, 5}, 1e-9, 10);
  CHECK(found.value[4] == doctest::Approx(-10 * 2 / 25.0 * 0.6));
  CHECK(found.value[5] == doctest::Approx(-10 * 2 / 25.0 * 0.8));
  CHECK(found.value[6] == 0);
  CHECK(found.value[7] == doctest::Approx(-10 * 2 / 5.0));
}

TEST_CASE("softening weakens what is near") {
  const auto found = n_body({0, 0, 0, 1, 3, 0, 0, 1}, 4, 1);
  CHECK(found.value[0] == doctest::Approx(3 / 125.0));
  CHECK(found.value[3] == doctest::Approx(-1 / 5.0));
}
