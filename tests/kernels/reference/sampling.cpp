#include <kernels/reference/sampling.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

// Source: the known answers of Random123, kat_vectors.
TEST_CASE("Philox gives its known answers") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("choices are the likeliest, as many as have the share") {
  const float logits[] = {0, 2, 1, 2};
  const choices all(logits, 4, 4, 1, 1);
  CHECK(all.column == std::vector<unsigned>{1, 3, 2, 0});
  CHECK(all.up_to.back() == 1);
  const double sum = 2 + std::exp(-1.0) + std::exp(-2.0);
  CHECK(all.up_to[0] == doctest::Approx(1 / sum));
  CHECK(choices(logits, 4, 2, 1, 1).column == std::vector<unsigned>{1, 3});
  CHECK(choices(logits, 4, 4, 0.3, 1).column == std::vector<unsigned>{1});
  CHECK(choices(logits, 4, 4, 0, 1).column == std::vector<unsigned>{1});
  CHECK(all.may_draw(3, 0.5, 0));
  CHECK_FALSE(all.may_draw(3, 0.1, 0));
}
