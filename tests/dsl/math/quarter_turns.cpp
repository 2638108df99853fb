#include <tg/dsl/math/quarter_turns.hpp>

#include "../accuracy.hpp"

namespace {

/// quarter·π/2 + rest agrees with x modulo a full turn: compares sines and cosines.
template <class T> void check_near(const std::vector<T>& x, double bound) {
  const auto rest = accuracy::apply<T>([](auto v) { return tg::detail::reduce(v).rest; }, x);
  const auto quarter = accuracy::apply<T, unsigned>([](auto v) { return tg::detail::reduce(v).quarter; }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    using wide = accuracy::wider<T>;
    const wide s = std::sin(static_cast<wide>(x[i])), c = std::cos(static_cast<wide>(x[i]));
    const wide turned[] = {s, -c, -s, c};  // sin(x - quarter·π/2)
    INFO("x ", static_cast<double>(x[i]));
    CHECK(std::fabs(rest[i]) < 0.79);
    CHECK(accuracy::ulps(rest[i], std::asin(turned[quarter[i] % 4])) <= bound);
  }
}

}  // namespace

TEST_CASE("angles close to a multiple of a right angle keep their digits") {
  // Neighbours of k·π/2 on both sides of the limit, and numbers known to lie very close to a multiple.
  std::vector<float> x = {0x1.6ac5b2p9f, 0x1.92f2bep5f, 0x1.4f8b58p125f, 0x1.fffffep127f};
  std::vector<double> z = {0x1.6ac5b262ca1ffp849, 0x1.fffffffffffffp1023, 0x1p30, 0x1.fffffffffffffp29};
  for (double k = 1; k < 1e9; k = k * 1.37 + 1) {
    x.push_back(static_cast<float>(std::floor(k) * 1.5707963267948966));
    z.push_back(std::floor(k) * 1.5707963267948966);
  }
  check_near(x, 1.01);
  check_near(z, 1.01);
}

TEST_CASE("every position of the window is used") {
  std::vector<float> x;
  std::vector<double> z;
  for (int e = 17; e < 128; ++e) x.push_back(std::ldexp(1.2345678f, e));
  for (int e = 30; e < 1024; ++e) z.push_back(std::ldexp(1.2345678901234567, e));
  check_near(x, 1.01);
  check_near(z, 1.01);
}
