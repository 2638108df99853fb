#include <tg/dsl/math/activation.hpp>

#include "../accuracy.hpp"

namespace {

std::vector<float> numbers(float low, float high) {
  std::vector<float> out;
  for (int i = 0; i <= 40000; ++i) out.push_back(low + (high - low) * static_cast<float>(i) / 40000);
  return out;
}

/// The largest error over the bound, which `units` gives in units of 2^-24 relative to the exact value.
template <class F, class Oracle, class Units> double worst(F f, Oracle oracle, Units units, float low, float high) {
  const std::vector<float> x = numbers(low, high), y = accuracy::apply<float>(f, x);
  double out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = oracle(double(x[i])), error = std::abs(double(y[i]) - exact);
    if (error != 0) out = std::max(out, error / (0x1p-24 * units(double(x[i])) * std::abs(exact) + 1e-44));
  }
  return out;
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return x * sigmoid(x); }
double gelu(double x) { return x / 2 * std::erfc(-x / std::sqrt(2.0)); }
double gelu_tanh(double x) { return x * sigmoid(2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)); }

}  // namespace

TEST_CASE("activations keep their bounds") {
  const auto ulps = [](double n) { return [n](double) { return 2 * n; }; };
  CHECK(worst([](auto x) { return tg::sigmoid(x); }, sigmoid, ulps(3), -80, 80) <= 1);
  CHECK(worst([](auto x) { return tg::silu(x); }, silu, ulps(4), -80, 80) <= 1);
  CHECK(worst([](auto x) { return tg::gelu(x); }, gelu, [](double x) { return 2 * (6 + x * x); }, -9, 9) <= 1);
  CHECK(worst([](auto x) { return tg::gelu_tanh(x); }, gelu_tanh, [](double x) { return 2 * (6 + 2 * x * x); }, -6, 9) <= 1);
  CHECK(worst([](auto x) { return tg::approx::sigmoid(x); }, sigmoid, [](double x) { return 8 * (1 + std::abs(x)); }, -80,
              80) <= 1);
  CHECK(worst([](auto x) { return tg::approx::silu(x); }, silu, [](double x) { return 8 * (1 + std::abs(x)); }, -80, 80) <= 1);
  CHECK(worst([](auto x) { return tg::approx::gelu_tanh(x); }, gelu_tanh, [](double x) { return 8 * (2 + 4 * x * x); }, -6,
              9) <= 1);
}

TEST_CASE("a bound that is too narrow is found") {
  CHECK(worst([](auto x) { return tg::approx::sigmoid(x); }, sigmoid, [](double) { return 1.0; }, -80, 80) > 1);
}

TEST_CASE("activations of what is no ordinary number") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x{infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 0.0f};
  const auto of = [&](auto f) { return accuracy::apply<float>(f, x); };
  const auto relu = of([](auto v) { return tg::relu(v); }), sigmoid = of([](auto v) { return tg::sigmoid(v); }),
             gelu = of([](auto v) { return tg::gelu(v); }), silu = of([](auto v) { return tg::silu(v); });
  CHECK((relu[0] == infinity && relu[1] == 0 && relu[2] == 0 && relu[3] == 0));
  CHECK((sigmoid[0] == 1 && sigmoid[1] == 0 && std::isnan(sigmoid[2]) && sigmoid[3] == 0.5f));
  CHECK((gelu[0] == infinity && std::isnan(gelu[2]) && gelu[3] == 0));
  CHECK((silu[0] == infinity && std::isnan(silu[1]) && std::isnan(silu[2]) && silu[3] == 0));
}
