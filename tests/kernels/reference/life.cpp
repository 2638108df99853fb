#include <kernels/reference/life.hpp>

#include <doctest/doctest.h>

using tg::kernels::reference::life;

TEST_CASE("a line of three turns, a square stays, also across the edges") {
  const std::vector<std::uint8_t> line{0, 0, 0, 0, 0,  //
                                       0, 0, 1, 0, 0,  //
                                       0, 0, 1, 0, 0,  //
                                       0, 0, 1, 0, 0,  //
                                       0, 0, 0, 0, 0};
  const auto turned = life(line, 5, 5);
  CHECK(turned != line);
  CHECK(turned[11] == 1);
  CHECK(turned[13] == 1);
  CHECK((life(turned, 5, 5) == line));
  const std::vector<std::uint8_t> corners{1, 0, 0, 1,  //
                                          0, 0, 0, 0,  //
                                          0, 0, 0, 0,  //
                                          1, 0, 0, 1};
  CHECK((life(corners, 4, 4) == corners));
}
