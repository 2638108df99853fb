#include <tg/array/mean.hpp>

#include "reductions.hpp"

using arrays::check;
using arrays::host;
using arrays::mean;
using arrays::minus;
using arrays::squares;

TEST_CASE("means, variances and norms") {
  check<float>(TG_TEST_REDUCTION(mean), mean, 1e-4);
  check<tg::f16>(TG_TEST_REDUCTION(mean), mean, 1e-4);
  check<int>(TG_TEST_REDUCTION(mean), mean, 1e-4);
  const auto variance = [](const host& x, const std::vector<int>& axes) {
    return mean(squares(minus(x, mean(x, axes))), axes);
  };
  check<double>(TG_TEST_REDUCTION(variance), variance, 1e-12);
  check<tg::bf16>(TG_TEST_REDUCTION(variance), variance, 1e-4);
  const auto norm = [](const host& x, const std::vector<int>& axes) {
    return arrays::map([](double a) { return std::sqrt(a); }, arrays::sum(squares(x), axes));
  };
  check<float>(TG_TEST_REDUCTION(norm), norm, 1e-4);
}

TEST_CASE("a variance of large numbers is exact where the mean is subtracted first") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{100000, 100001, 100002});
  CHECK(tg::eval(tg::variance<0>(x)).item() == doctest::Approx(2.0f / 3));
}
