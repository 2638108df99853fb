#include <tg/array/print.hpp>

#include <sstream>

#include "arrays.hpp"

TEST_CASE("arrays are printed as numpy prints them") {
  tg::device gpu;
  const tg::array<int, 2> whole(gpu, {2, 3}, std::vector<int>{1, -20, 3, 4, 5, 600});
  CHECK(tg::to_text(whole) == "[[  1 -20   3]\n [  4   5 600]]");
  CHECK(tg::to_text(whole.transpose()) == "[[  1   4]\n [-20   5]\n [  3 600]]");
  const tg::array<float, 1> line(gpu, std::vector<float>{1, 0.5f, -2.25f, 1e20f});
  CHECK(tg::to_text(line) == "[   1.   0.5 -2.25 1e+20]");
  const tg::array<int, 3> cube(gpu, {2, 2, 2}, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(tg::to_text(cube) == "[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]");
  CHECK(tg::to_text(whole(1, 2)) == "600");
  CHECK(tg::to_text(tg::array<float, 1>(gpu, {0})) == "[]");
  const tg::array<bool, 1> mask = whole(0, tg::full_extent) > 0;
  std::ostringstream stream;
  stream << mask;
  CHECK(stream.str() == "[ true false  true]");
  const tg::array<tg::bf16, 1> half = tg::cast<tg::bf16>(line * 0.0f + 3.140625f);
  CHECK(tg::to_text(half) == "[3.1406 3.1406 3.1406 3.1406]");
  std::vector<int> counted(2000);
  for (int k = 0; k < 2000; ++k) counted[static_cast<std::size_t>(k)] = k;
  CHECK(tg::to_text(tg::array<int, 1>(gpu, counted)) == "[   0    1    2 ... 1997 1998 1999]");
}

TEST_CASE("an expression is printed, computed for it") {
  tg::device gpu;
  const tg::array<float, 1> line(gpu, {3}, {1, 2, 3});
  CHECK(tg::to_text(line * 2.0f) == "[2. 4. 6.]");
  std::ostringstream stream;
  stream << line + 1.0f << ' ' << tg::sum(line);
  CHECK(stream.str() == "[2. 3. 4.] 6.");
}
