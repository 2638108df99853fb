#include <tg/dsl/math/approx.hpp>

#include "../accuracy.hpp"

namespace {

/// The largest |got − want| / scale(x, want) over numbers in (low, high).
template <class F, class Oracle, class Scale> double worst(F f, Oracle oracle, Scale scale, float low, float high) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> between(low, high);
  std::vector<float> x(20000);
  for (float& v : x) v = between(random);
  const auto kernel = accuracy::lowered<float>(f);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  const auto y = accuracy::run<float>(kernel.ptx, x);
  double out = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double want = oracle(static_cast<double>(x[i]));
    out = std::max(out, std::fabs(static_cast<double>(y[i]) - want) / scale(static_cast<double>(x[i]), want));
  }
  return out;
}

double relative(double, double want) { return std::fabs(want); }
double absolute(double, double) { return 1; }

}  // namespace

TEST_CASE("the instructions keep the bounds that PTX states, or an H100 where it keeps less") {
  namespace approx = tg::approx;
  CHECK(worst([](auto x) { return approx::exp2(x); }, [](double x) { return std::exp2(x); }, relative, -120, 120) <= 0x1p-22);
  CHECK(worst([](auto x) { return approx::exp(x); }, [](double x) { return std::exp(x); },
              [](double x, double want) { return want * (0x1p-22 + std::fabs(x) * 0x1p-23); }, -80, 80) <= 1);
  CHECK(worst([](auto x) { return approx::log2(x); }, [](double x) { return std::log2(x); }, absolute, 0.5, 2) <= 0x1p-22);
  CHECK(worst([](auto x) { return approx::log2(x); }, [](double x) { return std::log2(x); }, relative, 2, 1e9) <= 0x1p-22);
  CHECK(worst([](auto x) { return approx::log(x); }, [](double x) { return std::log(x); }, relative, 2, 1e9) <= 0x1p-21);
  CHECK(worst([](auto x) { return approx::sin(x); }, [](double x) { return std::sin(x); }, absolute, -6, 6) <= 0x1.84p-21);
  CHECK(worst([](auto x) { return approx::cos(x); }, [](double x) { return std::cos(x); }, absolute, -6, 6) <= 0x1.84p-21);
  CHECK(worst([](auto x) { return approx::tanh(x); }, [](double x) { return std::tanh(x); }, relative, -9, 9) <= 0x1p-11);
  CHECK(worst([](auto x) { return approx::sqrt(x); }, [](double x) { return std::sqrt(x); }, relative, 0, 1e9) <= 0x1p-23);
  CHECK(worst([](auto x) { return approx::rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); }, relative, 1e-9f, 1e9) <=
        0x1.12p-23);
  CHECK(worst([](auto x) { return approx::rcp(x); }, [](double x) { return 1 / x; }, relative, -9, 9) <= 0x1p-23);
  CHECK(worst([](auto x) { return approx::div(1.5f, x); }, [](double x) { return 1.5 / x; }, relative, -9, 9) <= 0x1p-22);
  CHECK(worst([](auto x) { return approx::div_full(x, 3.1f); }, [](double x) { return x / 3.1f; }, relative, -9, 9) <= 0x1p-22);
}

TEST_CASE("a bound can be missed") {
  CHECK(worst([](auto x) { return tg::approx::tanh(x) * 1.001f; }, [](double x) { return std::tanh(x); }, relative, -9, 9) >
        0x1p-11);
}

TEST_CASE("each is the instruction it names") {
  const auto text = [](auto f) { return accuracy::lowered<float>(f).ptx; };
  CHECK(text([](auto x) { return tg::approx::exp2(x); }).find("ex2.approx.f32") != std::string::npos);
  CHECK(text([](auto x) { return tg::approx::div(x, 3.0f); }).find("div.approx.f32") != std::string::npos);
  CHECK(text([](auto x) { return tg::approx::div_full(x, 3.0f); }).find("div.full.f32") != std::string::npos);
  CHECK(accuracy::lowered<float>([](auto x) { return tg::approx::tanh(x); }).module.sm >= 75);
}
