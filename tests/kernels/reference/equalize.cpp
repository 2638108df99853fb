#include <kernels/reference/equalize.hpp>

#include <doctest/doctest.h>

using tg::kernels::reference::equalize_table;

TEST_CASE("the smallest value becomes 0, the largest 255, those between by how many there are") {
  std::vector<unsigned> bins(256);
  bins[10] = 7, bins[20] = 1, bins[30] = 1, bins[200] = 3;
  const auto table = equalize_table(bins);
  CHECK(table[9] == 0);
  CHECK(table[10] == 0);
  CHECK(table[20] == 51);
  CHECK(table[25] == 51);
  CHECK(table[30] == 102);
  CHECK(table[200] == 255);
}

TEST_CASE("a picture of one value stays") {
  std::vector<unsigned> bins(256);
  bins[77] = 12;
  CHECK(equalize_table(bins)[77] == 77);
}
