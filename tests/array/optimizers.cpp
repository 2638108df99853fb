#include <tg/array/optimizers.hpp>

#include <random>

#include <tg/array.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../random_seed.hpp"
#include "gradients.hpp"

using arrays::apart;
using arrays::rows_of_numbers;

namespace {

constexpr std::size_t n = 1009;

struct weights_and_gradients {
  rows_of_numbers w, m, v;
  std::vector<rows_of_numbers> gradients;

  weights_and_gradients() : w(n), m(n), v(n) {
    std::mt19937 random(random_seed());
    std::uniform_real_distribution<float> any(-1, 1);
    for (double& x : w) x = any(random);
    for (int step = 0; step < 4; ++step) {
      gradients.emplace_back(n);
      for (double& x : gradients.back()) x = any(random);
    }
  }
};

tg::array<float, 1> on(tg::device& gpu, const rows_of_numbers& x) {
  return {gpu, {std::int64_t(x.size())}, arrays::to_floats(x)};
}

}  // namespace

TEST_CASE("steps of Adam and AdamW are those of double precision, one kernel each, one for all steps") {
  for (const float decay : {0.0f, 0.1f}) {
    weights_and_gradients own;
    tg::device gpu;
    tg::array<float, 1> w = on(gpu, own.w), m = on(gpu, own.m), v = on(gpu, own.v);
    const auto before = tg::telemetry_of(gpu);
    const double rate = 0.01f, b1 = 0.9, b2 = 0.999, epsilon = 1e-8;
    for (int step = 1; step <= 4; ++step) {
      const rows_of_numbers& g = own.gradients[std::size_t(step - 1)];
      tg::adam_step(w, m, v, on(gpu, g), step, {.rate = 0.01f, .decay = decay});
      for (std::size_t i = 0; i < n; ++i) {
        own.m[i] = b1 * own.m[i] + (1 - b1) * g[i];
        own.v[i] = b2 * own.v[i] + (1 - b2) * g[i] * g[i];
        own.w[i] -= rate * double(decay) * own.w[i] +
                    rate * own.m[i] / (1 - std::pow(b1, step)) / (std::sqrt(own.v[i] / (1 - std::pow(b2, step))) + epsilon);
      }
    }
    CHECK(apart(w.to_host(), own.w) <= 1e-5);
    CHECK(apart(m.to_host(), own.m) <= 1e-6);
    CHECK(apart(v.to_host(), own.v) <= 1e-6);
    const auto after = tg::telemetry_of(gpu);
    CHECK(after.launches - before.launches == 4);
    // A GPU's context may still have the kernel of the device before.
    CHECK(after.modules_loaded - before.modules_loaded <= 1);
    if (decay == 0) CHECK(after.modules_loaded - before.modules_loaded == 1);
  }
}

TEST_CASE("descent with momentum, plain and by Nesterov") {
  for (const bool is_nesterov : {false, true}) {
    weights_and_gradients own;
    tg::device gpu;
    tg::array<float, 1> w = on(gpu, own.w), velocity = on(gpu, own.m);
    for (const rows_of_numbers& g : own.gradients) {
      tg::sgd_step(w, velocity, on(gpu, g), {.rate = 0.1f, .momentum = 0.9f, .decay = 0.01f, .is_nesterov = is_nesterov});
      for (std::size_t i = 0; i < n; ++i) {
        const double slope = g[i] + double(0.01f) * own.w[i];
        own.m[i] = double(0.9f) * own.m[i] + slope;
        own.w[i] -= double(0.1f) * (is_nesterov ? slope + double(0.9f) * own.m[i] : own.m[i]);
      }
    }
    CHECK(apart(w.to_host(), own.w) <= 1e-5);
    CHECK(apart(velocity.to_host(), own.m) <= 1e-5);
  }
}

TEST_CASE("steps of Lion go by the sign") {
  weights_and_gradients own;
  own.gradients[0][3] = 0;  // a moment of 0 moves nothing
  tg::device gpu;
  tg::array<float, 1> w = on(gpu, own.w), m = on(gpu, own.m);
  const double first = own.w[3];
  tg::lion_step(w, m, on(gpu, own.gradients[0]), {.rate = 0.1f, .decay = 0.5f});
  for (std::size_t i = 0; i < n; ++i) {
    const double g = own.gradients[0][i];
    own.w[i] = own.w[i] * (1 - 0.05) - 0.1 * (g > 0 ? 1 : g < 0 ? -1 : 0);
  }
  CHECK(apart(w.to_host(), own.w) <= 1e-6);
  CHECK(w.to_host()[3] == doctest::Approx(first * 0.95));
}

TEST_CASE("gradients are clipped by a norm that stays on the device") {
  tg::device gpu;
  const std::vector<float> large{3, 4}, small{0.3f, 0.4f};
  tg::array<float, 0> squares(gpu, {});
  for (const auto& g : {large, small}) {
    const tg::array<float, 1> dg(gpu, g);
    squares = tg::sum(dg * dg);
    const auto found = tg::eval(tg::clipped(dg, squares, 1.0f)).to_host();
    const double norm = std::hypot(g[0], g[1]), share = norm > 1 ? 1 / norm : 1;
    CHECK(found[0] == doctest::Approx(double(g[0]) * share).epsilon(1e-5));
    CHECK(found[1] == doctest::Approx(double(g[1]) * share).epsilon(1e-5));
  }
}

TEST_CASE("one NaN makes all clipped gradients NaN, and a gradient of NaN its weight") {
  tg::device gpu;
  const tg::array<float, 1> g(gpu, std::vector<float>{std::nanf(""), 100, 200});
  tg::array<float, 0> squares(gpu);
  squares = tg::sum(g * g);
  for (const float x : tg::eval(tg::clipped(g, squares, 1.0f)).to_host()) CHECK(std::isnan(x));
  tg::array<float, 1> w(gpu, std::vector<float>{1, 1, 1}), m(gpu, std::vector<float>{0, 0, 0});
  tg::lion_step(w, m, g, {.rate = 0.5f});
  const auto after = w.to_host();
  CHECK(std::isnan(after[0]));
  CHECK(after[1] == 0.5f);
}

TEST_CASE("states and weights of double keep a decay that float does not see") {
  tg::device gpu;
  tg::array<double, 1> a(gpu, std::vector<double>{1}), b = a, m(gpu, std::vector<double>{0}), v = m, m2 = m;
  const tg::array<double, 1> zero = m;
  for (int step = 1; step <= 100; ++step) {
    tg::adam_step(a, m, v, zero, step, {.rate = 1e-5, .decay = 1e-3});
    tg::lion_step(b, m2, zero, {.rate = 1e-5, .decay = 1e-3});
  }
  const double wanted = std::pow(1 - 1e-8, 100);
  CHECK(std::abs(a.to_host()[0] - wanted) < 1e-13);
  CHECK(std::abs(b.to_host()[0] - wanted) < 1e-13);
}

TEST_CASE("bf16 weights and gradients beside states of float: the step is that of their values, rounded once") {
  weights_and_gradients own;
  tg::device gpu;
  const auto rounded = [&](const rows_of_numbers& x) {
    return tg::array<tg::bf16, 1>(gpu, {std::int64_t(n)}, arrays::to_floats(x));
  };
  const rows_of_numbers& g = own.gradients[0];
  tg::array<tg::bf16, 1> w = rounded(own.w), along = rounded(own.w), of_signs = rounded(own.w);
  const tg::array<tg::bf16, 1> slope = rounded(g);
  // The judge: float weights and gradients of the same values.
  tg::array<float, 1> wide = tg::cast<float>(w), wide_along = wide, wide_signs = wide, wide_slope = tg::cast<float>(slope);
  tg::array<float, 1> m = on(gpu, own.m), v = on(gpu, own.v), velocity = on(gpu, own.m), signs = on(gpu, own.m);
  tg::array<float, 1> m2 = m, v2 = v, velocity2 = velocity, signs2 = signs;
  tg::adam_step(w, m, v, slope, 1, {.rate = 0.1f, .decay = 0.1f});
  tg::adam_step(wide, m2, v2, wide_slope, 1, {.rate = 0.1f, .decay = 0.1f});
  tg::sgd_step(along, velocity, slope, {.rate = 0.1f, .decay = 0.1f, .is_nesterov = true});
  tg::sgd_step(wide_along, velocity2, wide_slope, {.rate = 0.1f, .decay = 0.1f, .is_nesterov = true});
  tg::lion_step(of_signs, signs, slope, {.rate = 0.1f, .decay = 0.1f});
  tg::lion_step(wide_signs, signs2, wide_slope, {.rate = 0.1f, .decay = 0.1f});
  const auto values = [](const auto& x) { return x.template to<std::vector<float>>(); };
  const auto nearest = [&](const tg::array<float, 1>& x) { return values(tg::eval(tg::cast<tg::bf16>(x))); };
  CHECK(values(w) == nearest(wide));
  CHECK(values(along) == nearest(wide_along));
  CHECK(values(of_signs) == nearest(wide_signs));
  CHECK(values(w) != arrays::to_floats(own.w));
  CHECK(m.to_host() == m2.to_host());
  CHECK(v.to_host() == v2.to_host());
  CHECK(velocity.to_host() == velocity2.to_host());
  CHECK(signs.to_host() == signs2.to_host());
}

TEST_CASE("steps of Adam count from 1") {
  tg::device gpu;
  tg::array<float, 1> w(gpu, {2}, {1, 2}), m(gpu, {2}, {0, 0}), v(gpu, {2}, {0, 0});
  for (const int step : {0, -3}) {
    int number = 0;
    try {
      tg::adam_step(w, m, v, w, step);
    } catch (const tg::error& e) { number = e.number(); }
    CHECK(number == 705);
  }
  CHECK(w.to_host() == std::vector<float>{1, 2});
}
