#include <tg/array/softmax.hpp>

#include "reductions.hpp"

using arrays::check;
using arrays::host;
using arrays::mean;
using arrays::minus;
using arrays::on_host;
using arrays::squares;

TEST_CASE("the logarithm of sums of exponentials") {
  const auto on_host = [](const host& x, const std::vector<int>& axes) {
    const host powers = arrays::map([](double a) { return std::exp(a); }, x);
    return arrays::map([](double a) { return std::log(a); }, arrays::sum(powers, axes));
  };
  check<float>(TG_TEST_REDUCTION(logsumexp), on_host, 1e-4);
  check<double>(TG_TEST_REDUCTION(logsumexp), on_host, 1e-12);
}

TEST_CASE("log-softmax and the normalisation of layers") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t n : {5, 64, 100, 1000}) {
    const host x = arrays::random_numbers<float>({9, n}, random), w = arrays::random_numbers<float>({n}, random);
    const tg::array<float, 2> dx(gpu, {9, n}, x.numbers);
    const tg::array<float, 1> dw(gpu, {n}, w.numbers);
    const host sums = arrays::sum(arrays::map([](double a) { return std::exp(a); }, x), {1});
    const host logs = arrays::map([](double a) { return std::log(a); }, sums);
    CHECK(arrays::excess(on_host(tg::eval(tg::log_softmax<1>(dx))), minus(x, logs), 1e-5) <= 1);
    const host apart = minus(x, mean(x, {1}));
    const auto times = [](double a, double b) { return a * b; };
    const host scale = arrays::map([](double v) { return 1 / std::sqrt(v + 1e-5); }, mean(squares(apart), {1}));
    const auto normed = (dx - tg::mean<1>(dx, tg::keep)) * tg::rsqrt(tg::variance<1>(dx, tg::keep) + 1e-5f) * dw;
    CHECK(arrays::excess(on_host(tg::eval(normed)), arrays::map(times, arrays::map(times, apart, scale), w), 1e-4) <= 1);
  }
}

TEST_CASE("large numbers do not overflow") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{1000, 1000, -1000});
  CHECK(tg::eval(tg::softmax<0>(x)).to_host() == std::vector<float>{0.5f, 0.5f, 0});
  CHECK(tg::eval(tg::logsumexp<0>(x)).item() == doctest::Approx(1000.6931f));
}

TEST_CASE("the logarithm of a sum with infinities") {
  tg::device gpu;
  const float infinity = std::numeric_limits<float>::infinity();
  const auto of = [&](std::vector<float> x) { return tg::eval(tg::logsumexp(tg::array<float, 1>(gpu, x))).item(); };
  CHECK(of({-infinity, -infinity}) == -infinity);
  CHECK(of({infinity, 1}) == infinity);
  CHECK(of({-infinity, 1}) == 1.0f);
}

TEST_CASE("an expression in which an array stands several times keeps its memory, as do copies of the expression") {
  tg::device gpu;
  const auto check_kept = [&](auto make) {
    const tg::array<float, 2> same(gpu, {3, 40}, std::vector<float>(120, 1.5f));
    const auto wanted = tg::eval(make(same)).to_host();
    const auto kept = [&] {
      auto own = std::make_unique<tg::array<float, 2>>(gpu, tg::array_shape<2>{3, 40}, std::vector<float>(120, 1.5f));
      auto tree = std::make_unique<decltype(make(*own))>(make(*own));
      own.reset();
      auto copy = *tree;
      tree.reset();
      return copy;
    }();
    const tg::array<float, 2> other(gpu, {3, 40}, std::vector<float>(120, -7.0f));  // where memory that is free would be
    CHECK(tg::eval(kept).to_host() == wanted);
  };
  check_kept([](const auto& x) { return tg::softmax<1>(x); });
  check_kept([](const auto& x) { return tg::log_softmax<1>(x); });
  check_kept([](const auto& x) { return tg::logsumexp<1>(x, tg::keep) + x; });
  check_kept([](const auto& x) { return tg::variance<1>(x, tg::keep) + x * 2.0f; });
  check_kept([](const auto& x) { return tg::variance<1>(x); });
}
