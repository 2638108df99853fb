#include <kernels/block_formats.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels;

// Source: ggml's block structures; bits of a weight.
TEST_CASE("blocks have the sizes that files of weights have") {
  const auto bits = []<class F>(F) { return 8.0 * F::bytes / F::values; };
  CHECK(bits(q4_0{}) == 4.5);
  CHECK(bits(q4_1{}) == 5);
  CHECK(bits(q5_0{}) == 5.5);
  CHECK(bits(q5_1{}) == 6);
  CHECK(bits(q8_0{}) == 8.5);
  CHECK(bits(q8_1{}) == 9);
  CHECK(bits(q4_k{}) == 4.5);
  CHECK(bits(q5_k{}) == 5.5);
  CHECK(bits(q6_k{}) == 6.5625);
  CHECK(bits(nf4{}) == 4.5);
}

TEST_CASE("the numbers of NF4 ascend, and end in -1 and 1") {
  for (std::size_t i = 1; i < nf4::numbers.size(); ++i) CHECK(nf4::numbers[i - 1] < nf4::numbers[i]);
  CHECK(nf4::numbers.front() == -1);
  CHECK(nf4::numbers[7] == 0);
  CHECK(nf4::numbers.back() == 1);
}
