#include <kernels/reference/grey.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("medians: one white pixel is removed, an edge stays, the border goes on") {
  const grey_picture dot(std::vector<int>{0, 0, 0, 0, 9, 0, 0, 0, 0}, 3, 3);
  CHECK((median(dot, 3) == std::vector<double>(9)));
  const grey_picture edge(std::vector<int>{1, 1, 5, 5, 1, 1, 5, 5}, 4, 2);
  CHECK((median(edge, 3) == edge.samples));
  const grey_picture line(std::vector<int>{7, 1, 2}, 3, 1);
  CHECK((median(line, 3) == std::vector<double>{7, 2, 2}));
  CHECK((median(line, 5) == std::vector<double>{7, 2, 2}));
}
