#include <kernels/reference/q4k_matvec.hpp>

#include <doctest/doctest.h>

#include <vector>

using doctest::Approx;
using namespace tg::kernels::reference;

namespace {

/// d = 1, dmin = 0.5, scales 1 to 8 with 32 more from group 4 on, minima 10 to 17, nibbles 3 (low) and 5 (high).
std::vector<std::uint8_t> block() {
  std::vector<std::uint8_t> out(144);
  out[1] = 0x3c;
  out[3] = 0x38;
  for (int g = 0; g < 4; ++g) {
    out[4 + g] = static_cast<std::uint8_t>((g + 1) | 2 << 6);
    out[8 + g] = static_cast<std::uint8_t>(g + 10);
    out[12 + g] = static_cast<std::uint8_t>((g + 5) | (g + 14 - 16 * (g > 1)) << 4);
    if (g > 1) out[8 + g] |= 1 << 6;
  }
  for (std::size_t i = 16; i < 144; ++i) out[i] = 0x53;
  return out;
}

}  // namespace

TEST_CASE("a block is taken apart") {
  const auto bytes = block();
  const q4k_block b(bytes);
  CHECK(b.d == 1.0);
  CHECK(b.dmin == 0.5);
  CHECK(b.scale == std::array<int, 8>{1, 2, 3, 4, 5 + 32, 6 + 32, 7 + 32, 8 + 32});
  CHECK(b.minimum == std::array<int, 8>{10, 11, 12, 13, 14, 15, 16, 17});
  CHECK(b.weight(0) == 1 * 3 - 0.5 * 10);
  CHECK(b.weight(32) == 2 * 5 - 0.5 * 11);
  CHECK(b.weight(255) == 40 * 5 - 0.5 * 17);
}

TEST_CASE("a row times activations, with the sums as they are given") {
  const auto bytes = block();
  const std::vector<std::int8_t> q(256, 1);
  std::vector<tg::f16x2> ds(8, {tg::f16(2.0), tg::f16(0.0)});
  const auto plain = q4k_dot(bytes, q, ds);
  CHECK(plain.value == Approx(2.0 * 32 * (3 * (1 + 3 + 37 + 39) + 5 * (2 + 4 + 38 + 40))));
  CHECK(plain.magnitude == Approx(plain.value));
  ds[7].high = tg::f16(4.0);
  CHECK(q4k_dot(bytes, q, ds).value == Approx(plain.value - 0.5 * 17 * 4));
}
