#include <kernels/reference/cross_entropy.hpp>

#include <doctest/doctest.h>

using doctest::Approx;

TEST_CASE("losses and gradients of two logits, and of a target that counts for nothing") {
  const auto x = [](unsigned, unsigned c) { return c == 0 ? std::log(3.0) : 0.0; };
  const auto out = tg::kernels::reference::cross_entropy<float>(3, 2, x, [](unsigned r) { return r; }, 0.5);
  for (const double v : out.log_sums.value) CHECK(v == Approx(std::log(4.0)));
  CHECK(out.loss.value[0] == Approx(std::log(4.0 / 3)));
  CHECK(out.loss.value[1] == Approx(std::log(4.0)));
  CHECK(out.loss.value[2] == 0);
  const double wanted[] = {-0.125, 0.125, 0.375, -0.375, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) CHECK(out.gradient.value[i] == Approx(wanted[i]));
}
