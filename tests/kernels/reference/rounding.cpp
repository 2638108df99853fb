#include <kernels/reference/rounding.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("rounding moves a number by half a step of its type, and below the smallest by a fixed one") {
  const float middle = 1 + 0x1p-8f;  // halfway between two numbers of bf16
  CHECK(std::abs(static_cast<double>(tg::bf16(middle)) - 1 - 0x1p-8) == rounding<tg::bf16>(1));
  CHECK(rounding<tg::f16>(4) == 0x1p-9);
  CHECK(rounding<tg::f16>(0) == 0x1p-25);
  CHECK(rounding<float>(-2) == 0x1p-23);
  CHECK(rounding<int>(3) == 0);
}

TEST_CASE("numbers and their bounds stand side by side") {
  bounded x;
  x.add(3, 0.5);
  x.add(-1, 0.25);
  CHECK(x.value == std::vector<double>{3, -1});
  CHECK(x.bound == std::vector<double>{0.5, 0.25});
}
