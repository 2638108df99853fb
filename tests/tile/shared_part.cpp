#include <tg/tile/shared_part.hpp>

#include <doctest/doctest.h>

#include <set>

namespace {

/// Banks that eight rows of 16 bytes at (8 * block, column) meet: 32 when each lies in others.
template <int Columns, int Bytes> std::size_t banks_of_rows(int row, int column) {
  constexpr auto swizzle = tg::detail::fragment_swizzle<Columns, Bytes>();
  std::set<long long> banks;
  for (int r = 0; r < 8; ++r)
    for (int b = 0; b < 16; b += 4) {
      const long long element = swizzle.apply((row + r) * Columns + column + b / Bytes * 1LL);
      banks.insert((element * Bytes + b % Bytes) / 4 % 32);
    }
  return banks.size();
}

template <int Columns, int Bytes> void check_swizzle() {
  CAPTURE(Columns);
  CAPTURE(Bytes);
  for (int row = 0; row < 64; row += 8)
    for (int column = 0; column < Columns; column += 16 / Bytes) CHECK(banks_of_rows<Columns, Bytes>(row, column) == 32);
}

struct memory {
  using element_type = float;
  static constexpr int rows = 16, columns = 32;
};

}  // namespace

TEST_CASE("eight rows of a fragment lie in different banks") {
  check_swizzle<16, 2>();
  check_swizzle<32, 2>();
  check_swizzle<64, 2>();
  check_swizzle<128, 2>();
  check_swizzle<256, 2>();
  check_swizzle<8, 4>();
  check_swizzle<32, 4>();
  check_swizzle<64, 4>();
  check_swizzle<32, 1>();
  check_swizzle<128, 1>();
}

TEST_CASE("the transpose of a transpose is the tile") {
  const tg::shared_part<memory> part{{}};
  static_assert(decltype(tg::transposed(part))::rows == 32 && decltype(tg::transposed(part))::columns == 16);
  static_assert(std::is_same_v<decltype(tg::transposed(tg::transposed(part))), tg::shared_part<memory>>);
}
