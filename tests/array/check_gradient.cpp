#include <tg/array/check_gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <tg/array.hpp>
#include <tg/array/norms.hpp>
#include <tg/tg.hpp>

#include "../random_seed.hpp"

namespace {

template <class T> tg::array<T, 2> random_matrix(const tg::device& gpu, std::int64_t rows, std::int64_t columns) {
  std::mt19937 random(random_seed());
  std::uniform_real_distribution<float> any(-2, 2);
  std::vector<T> out(static_cast<std::size_t>(rows * columns));
  for (T& x : out) x = any(random);
  return {gpu, {rows, columns}, out};
}

const auto cube = [](const auto& x) { return x * x * x; };

}  // namespace

TEST_CASE_TEMPLATE("right gradients are near, by the precision of the type", T, float, double) {
  const double off = std::is_same_v<T, double> ? 1e-7 : 1e-2;
  tg::device gpu("emulator");
  const auto x = random_matrix<T>(gpu, 5, 31);
  CHECK(tg::check_gradient(cube, [](const auto& x, const auto& dy) { return dy * x * x * T(3); }, x).worst <= off);
  CHECK(tg::check_gradient([](const auto& x) { return tg::exp(x); },
                           [](const auto& x, const auto& dy) { return dy * tg::exp(x); }, x)
            .worst <= off);
  // Of a result of another shape.
  CHECK(tg::check_gradient([](const auto& x) { return tg::sum<1>(x * x); },
                           [](const auto& x, const auto& dy) { return x * tg::expand<1>(dy) * T(2); }, x)
            .worst <= off);
  CHECK(tg::check_gradient([](const auto& x) { return tg::softmax<1>(x); },
                           [](const auto& x, const auto& dy) { return tg::softmax_gradient(tg::eval(tg::softmax<1>(x)), dy); },
                           x, {.samples = 1000})
            .worst <= off);
}

TEST_CASE("a wrong gradient is far, and the element is named") {
  tg::device gpu("emulator");
  const auto x = random_matrix<double>(gpu, 3, 4);
  const auto twice = tg::check_gradient(cube, [](const auto& x, const auto& dy) { return dy * x * x * 6.0; }, x);
  CHECK(twice.worst == doctest::Approx(1).epsilon(1e-6));
  CHECK(twice.found == doctest::Approx(2 * twice.wanted).epsilon(1e-6));
  // One element only, of numbers that are all large.
  const tg::array<double, 2> away = tg::eval(x * 0.25 + 2.0);
  std::vector<double> one(12, 1.0);
  one[7] = 1.25;
  const tg::array<double, 2> factors(gpu, {3, 4}, one);
  const auto found = tg::check_gradient(cube, [&](const auto& x, const auto& dy) { return dy * x * x * 3.0 * factors; }, away,
                                        {.samples = 12});
  CHECK(found.element == 7);
  CHECK(found.found == doctest::Approx(1.25 * found.wanted).epsilon(1e-6));
  CHECK(found.worst <= 0.25 + 1e-6);
  const auto no_number = tg::check_gradient(cube, [](const auto& x, const auto& dy) { return dy * tg::sqrt(-x * x - 1.0); }, x);
  CHECK(std::isinf(no_number.worst));
}

TEST_CASE("a gradient of another shape is refused: TG700; of nothing there is none to check") {
  tg::device gpu("emulator");
  const auto x = random_matrix<double>(gpu, 3, 4);
  try {
    tg::check_gradient(cube, [](const auto& x, const auto&) { return tg::eval(x(tg::range(0, 2), tg::range(0, 4)) + 0.0); }, x);
    CHECK(false);
  } catch (const tg::error& e) {
    CHECK(e.number() == 700);
    CHECK(std::string(e.what()).find("a gradient of shape (2, 4) for an array of shape (3, 4)") != std::string::npos);
  }
  const tg::array<double, 2> nothing(gpu, {0, 4});
  CHECK(tg::check_gradient(cube, [](const auto& x, const auto& dy) { return dy * x; }, nothing).worst == 0);
}
