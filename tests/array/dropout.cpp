#include <tg/array/dropout.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <tg/array.hpp>
#include <tg/runtime/telemetry.hpp>
#include <tg/tg.hpp>

TEST_CASE("elements are dropped with their probability, and the others make up for them") {
  tg::device gpu("emulator");
  constexpr std::size_t n = 100000;
  const tg::array<float, 1> x(gpu, std::vector<float>(n, 3.0f));
  for (const float probability : {0.0f, 0.1f, 0.5f, 0.9f}) {
    CAPTURE(probability);
    const tg::array<float, 1> y = tg::dropout(x, probability, 2024);
    std::size_t dropped = 0, kept = 0;
    for (const float v : y.to_host()) {
      dropped += v == 0;
      kept += v == 3.0f * (1.0f / (1.0f - probability));
    }
    CHECK(dropped + kept == n);
    const double p = double{probability}, off = 5 * std::sqrt(double(n) * p * (1 - p));  // five standard deviations
    CHECK(std::abs(double(dropped) - double(n) * p) <= off);
  }
}

TEST_CASE("the same seed drops the same elements, whatever they are, and another one others") {
  tg::device gpu("emulator");
  const tg::array<float, 2> x(gpu, {37, 101}, std::vector<float>(37 * 101, 1.0f)), dy = x * 2.0f;
  const tg::array<float, 2> y = tg::dropout(x, 0.5f, 1), back = tg::dropout(dy, 0.5f, 1), other = tg::dropout(x, 0.5f, 2);
  const auto a = y.to_host(), b = back.to_host(), c = other.to_host();
  std::size_t alike = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(b[i] == 2 * a[i]);
    alike += a[i] == c[i];
  }
  CHECK(alike > a.size() * 2 / 5);
  CHECK(alike < a.size() * 3 / 5);
}

TEST_CASE("another seed or probability is no new kernel") {
  tg::device gpu("emulator");
  const tg::array<float, 1> x(gpu, std::vector<float>(1000, 1.0f));
  tg::array<float, 1> y(gpu, {1000});
  y = tg::dropout(x, 0.25f, 1);
  const auto before = tg::telemetry_of(gpu).modules_loaded;
  for (unsigned seed = 2; seed < 10; ++seed) y = tg::dropout(x, 0.1f * static_cast<float>(seed) / 2, seed);
  CHECK(tg::telemetry_of(gpu).modules_loaded == before);
}

TEST_CASE("a probability is 0 to 1, and of 1 nothing is left: TG705 otherwise") {
  tg::device gpu("emulator");
  const tg::array<float, 1> x(gpu, std::vector<float>(100, 3.0f));
  CHECK(tg::array<float, 1>(tg::dropout(x, 1.0f, 1)).to_host() == std::vector<float>(100, 0.0f));
  for (const float wrong : {-0.5f, 1.5f, std::numeric_limits<float>::quiet_NaN()}) {
    int number = 0;
    try {
      (void)tg::dropout(x, wrong, 1);
    } catch (const tg::error& e) { number = e.number(); }
    CHECK(number == 705);
  }
}

TEST_CASE("a column of which elements are dropped stands for all columns") {
  tg::device gpu("emulator");
  const tg::array<float, 2> z(gpu, {64, 1}, std::vector<float>(64, 3.0f)), x(gpu, {64, 6}, std::vector<float>(384, 0.0f));
  const tg::array<float, 2> own = tg::dropout(z, 0.5f, 3);
  CHECK(tg::eval(tg::dropout(z, 0.5f, 3) + x).to_host() == tg::eval(own + x).to_host());
}
