// One kernel for an expression gives what a kernel for each of its parts gives: words that look at places, such as
// `tg::index_of` and `tg::shifted`, beside larger arrays, under reductions, scans and products, for shapes with extents of 1.
#include <optional>
#include <random>
#include <vector>

#include <tg/array.hpp>
#include <tg/array/dropout.hpp>
#include <tg/array/matmul.hpp>
#include <tg/array/pad.hpp>
#include <tg/array/random.hpp>
#include <tg/array/scan.hpp>
#include <tg/array/softmax.hpp>
#include <tg/array/take.hpp>
#include <tg/tg.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

namespace {

using matrix = tg::array<float, 2>;

/// Small whole numbers, so that sums are exact in any order.
matrix numbers_of(tg::device& gpu, std::mt19937& random, std::int64_t rows, std::int64_t columns) {
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  for (float& x : out) x = static_cast<float>(random() % 9) - 4;
  return matrix(gpu, {rows, columns}, out);
}

/// The elements of an expression; none where its reductions go over different rows, which is refused.
template <class Make> std::optional<std::vector<float>> elements_of(const Make& make) {
  try {
    return tg::eval(make()).to_host();
  } catch (const tg::error& e) {
    CAPTURE(e.what());
    CHECK(e.number() == 706);
    return std::nullopt;
  }
}

/// Counts the expressions that had elements.
template <class Fused, class Parts> void compare(int& all, const char* context, const Fused& fused, const Parts& parts) {
  const auto found = elements_of(fused), wanted = elements_of(parts);
  INFO("in: ", context);
  REQUIRE(found.has_value() == wanted.has_value());
  if (!found) return;
  ++all;
  REQUIRE(found->size() == wanted->size());
  for (std::size_t k = 0; k < found->size(); ++k) CHECK((*found)[k] == doctest::Approx((*wanted)[k]).epsilon(1e-5));
}

/// `word(z)` in an expression with x, and the same where the word has an array of its own.
template <class Word> int check(const Word& word) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const auto extent = [&](int most) { return static_cast<std::int64_t>(random() % 3 == 0 ? 1 : 1 + random() % most); };
  int all = 0;
  for (int turn = 0; turn < 12; ++turn) {
    const std::int64_t rows = extent(40), columns = extent(70);
    const std::int64_t own_rows = random() % 2 == 0 ? 1 : rows, own_columns = random() % 2 == 0 ? 1 : columns;
    CAPTURE(rows);
    CAPTURE(columns);
    CAPTURE(own_rows);
    CAPTURE(own_columns);
    const matrix z = numbers_of(gpu, random, own_rows, own_columns), x = numbers_of(gpu, random, rows, columns);
    const matrix part = word(z);
    const matrix weights = numbers_of(gpu, random, columns, 3);
    const auto both = [&](const char* context, const auto& in) {
      compare(all, context, [&] { return in(word(z)); }, [&] { return in(part); });
    };
    both("beside", [&](const auto& y) { return y + x; });
    both("across", [&](const auto& y) { return tg::transpose(x * y); });
    both("sum along rows", [&](const auto& y) { return tg::sum<1>(y + x); });
    both("largest along columns", [&](const auto& y) { return tg::max<0>(x + y); });
    both("softmax", [&](const auto& y) { return tg::softmax<1>(y + x) + y; });
    both("beside a reduction", [&](const auto& y) { return y - tg::max<1>(x, tg::keep); });
    both("two reductions", [&](const auto& y) { return tg::sum<1>(y * x, tg::keep) + tg::sum<1>(y, tg::keep); });
    both("scan", [&](const auto& y) { return tg::cumsum<1>(y + x) + y; });
    both("product", [&](const auto& y) { return tg::matmul(y + x, weights); });
  }
  return all;
}

}  // namespace

TEST_CASE("numbers along axes, fused and apart") {
  const int all = check([](const auto& z) { return tg::cast<float>(tg::index_of<0>(z) % 5 - tg::index_of<1>(z) % 3); });
  CHECK(all > 80);
}
TEST_CASE("neighbours, fused and apart") {
  CHECK(check([](const auto& z) { return tg::shifted<1, tg::border::wrap>(z, 1); }) > 80);
  CHECK(check([](const auto& z) { return tg::shifted<0, tg::border::zero>(z, -1); }) > 80);
}
TEST_CASE("random numbers, fused and apart") {
  CHECK(check([](const auto& z) { return tg::floor(tg::uniform(z, 7) * 8.0f) + tg::dropout(z, 0.5f, 3); }) > 80);
}
TEST_CASE("borders, fused and apart") {
  const int all = check([](const auto& z) {
    const auto less = [](std::int64_t extent) { return extent == 1 ? std::int64_t{0} : std::int64_t{1}; };
    const tg::array_shape<2> front(less(z.extent(0)), less(z.extent(1))), none(0, 0);
    return tg::pad(tg::array_view<const float, 2>(z.view())(tg::range(front[0], z.extent(0)), tg::range(front[1], z.extent(1))),
                   front, none, 2.0f);
  });
  CHECK(all > 80);
}
