#include <tg/array/losses.hpp>

#include <random>

#include <tg/array.hpp>

#include "../random_seed.hpp"
#include "gradients.hpp"

using arrays::apart;
using arrays::rows_of_numbers;

namespace {

rows_of_numbers losses(const rows_of_numbers& x, const std::vector<int>& targets) {
  const std::size_t columns = x.size() / targets.size();
  rows_of_numbers out;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    double peak = -INFINITY, total = 0;
    for (std::size_t c = 0; c < columns; ++c) peak = std::max(peak, x[r * columns + c]);
    for (std::size_t c = 0; c < columns; ++c) total += std::exp(x[r * columns + c] - peak);
    out.push_back(targets[r] < 0 ? 0 : std::log(total) + peak - x[r * columns + std::size_t(targets[r])]);
  }
  return out;
}

}  // namespace

TEST_CASE("cross-entropy of rows, also long ones, and its gradient by differences") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  std::normal_distribution<float> any(0, 3);
  for (const std::int64_t columns : {1, 7, 64, 100, 50021}) {
    CAPTURE(columns);
    const std::int64_t rows = columns > 1000 ? 2 : 5;
    rows_of_numbers x(std::size_t(rows * columns));
    for (double& own : x) own = any(random);
    std::vector<int> targets;
    for (int r = 0; r < rows; ++r) targets.push_back(r == 1 ? -100 : static_cast<int>(random() % unsigned(columns)));
    const tg::array<float, 2> dx(gpu, {rows, columns}, arrays::to_floats(x));
    const tg::array<int, 1> dt(gpu, targets);
    const auto found = tg::eval(tg::cross_entropy(dx, dt)).to_host();
    CHECK(apart(found, losses(x, targets)) <= (columns == 1 ? INFINITY : 1e-5));
    CHECK(found[1] == 0);
    if (columns > 1000) continue;
    const rows_of_numbers ones(std::size_t(rows), 0.25);
    const auto wanted = arrays::gradient_of([&](const auto& of) { return losses(of, targets); }, x, ones);
    const auto slope = tg::eval(tg::cross_entropy_gradient(dx, dt, 0.25f)).to_host();
    if (columns > 1) CHECK(apart(slope, wanted) <= 1e-4);
    for (std::int64_t c = 0; c < columns; ++c) CHECK(slope[std::size_t(columns + c)] == 0);
  }
}

TEST_CASE_TEMPLATE("targets of any integers", I, std::int64_t, std::uint64_t, unsigned, short, unsigned char) {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {3, 4}, {1, 2, 3, 4, 0, -1, 5, 2, 1, 1, 1, 1});
  const tg::array<int, 1> wanted(gpu, {3}, {3, 0, 2});
  const tg::array<I, 1> targets(gpu, {3}, {3, 0, 2});
  CHECK(tg::eval(tg::cross_entropy(x, targets)).to_host() == tg::eval(tg::cross_entropy(x, wanted)).to_host());
  CHECK(tg::eval(tg::cross_entropy_gradient(x, targets)).to_host() ==
        tg::eval(tg::cross_entropy_gradient(x, wanted)).to_host());
}

TEST_CASE("one target for each row, and NaN where it is no class") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {3, 4}, {1, 2, 3, 4, 0, -1, 5, 2, 1, 1, 1, 1});
  const auto code_of = [](auto f) {
    try {
      f();
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  const tg::array<int, 1> one(gpu, {1}, {2}), four(gpu, {4}, {0, 1, 2, 3}), outside(gpu, {3}, {3, 4, -1}),
      none(gpu, {3}, {0, 0, 0});
  CHECK(code_of([&] { tg::eval(tg::cross_entropy(x, one)); }) == 700);
  CHECK(code_of([&] { tg::eval(tg::cross_entropy(x, four)); }) == 700);
  CHECK(code_of([&] { tg::eval(tg::cross_entropy_gradient(x, one)); }) == 700);
  CHECK(code_of([&] { tg::eval(tg::cross_entropy(tg::array<float, 2>(gpu, {3, 0}), none)); }) == 705);
  const auto found = tg::eval(tg::cross_entropy(x, outside)).to_host();
  CHECK(found[0] < 1);
  CHECK(std::isnan(found[1]));
  CHECK(found[2] == 0);
  const auto slope = tg::eval(tg::cross_entropy_gradient(x, outside)).to_host();
  CHECK(std::isfinite(slope[0]));
  CHECK((std::isnan(slope[4]) && std::isnan(slope[7])));
  CHECK(slope[8] == 0);
}

TEST_CASE("the divergence of two distributions; what has no share adds nothing") {
  tg::device gpu;
  const std::vector<float> p{0.5f, 0.25f, 0.25f, 0, 0, 1}, q{0.25f, 0.25f, 0.5f, 0.5f, 0.25f, 0.25f};
  const tg::array<float, 2> dp(gpu, {2, 3}, p), dq(gpu, {2, 3}, q);
  const auto found = tg::eval(tg::kl_divergence(dp, tg::log(dq))).to_host();
  CHECK(found[0] == doctest::Approx(0.5 * std::log(2.0) + 0.25 * std::log(0.5)));
  CHECK(found[1] == doctest::Approx(std::log(4.0)));
}
