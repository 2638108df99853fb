#include <tg/array/norms.hpp>

#include <random>

#include <tg/array.hpp>

#include "../random_seed.hpp"
#include "gradients.hpp"

using arrays::apart;
using arrays::rows_of_numbers;
using arrays::to_floats;

namespace {

/// Numbers that floats hold.
rows_of_numbers random_row(std::size_t n, std::mt19937& random, double low = -2, double high = 2) {
  std::uniform_real_distribution<float> any(static_cast<float>(low), static_cast<float>(high));
  rows_of_numbers out(n);
  for (double& x : out) x = any(random);
  return out;
}

struct rows_in_double {
  std::size_t columns;
  bool centred;
  double epsilon;
  rows_of_numbers gamma, beta;

  rows_of_numbers operator()(const rows_of_numbers& x) const {
    rows_of_numbers out(x.size());
    for (std::size_t r = 0; r * columns < x.size(); ++r) {
      const double* const own = x.data() + r * columns;
      double mean = 0, square = 0;
      for (std::size_t c = 0; c < columns && centred; ++c) mean += own[c] / double(columns);
      for (std::size_t c = 0; c < columns; ++c) square += (own[c] - mean) * (own[c] - mean) / double(columns);
      for (std::size_t c = 0; c < columns; ++c)
        out[r * columns + c] = (own[c] - mean) / std::sqrt(square + epsilon) * gamma[c] + beta[c];
    }
    return out;
  }
};

template <class T> struct norm_case {
  tg::device gpu;
  std::int64_t rows, columns;
  rows_of_numbers x, dy;
  rows_in_double wanted;

  norm_case(std::int64_t rows, std::int64_t columns, bool centred, double epsilon)
      : rows(rows), columns(columns), wanted{std::size_t(columns), centred, epsilon, {}, {}} {
    std::mt19937 random(random_seed());
    x = random_row(std::size_t(rows * columns), random);
    dy = random_row(std::size_t(rows * columns), random);
    wanted.gamma = random_row(std::size_t(columns), random, 0.5, 1.5);
    wanted.beta = centred ? random_row(std::size_t(columns), random) : rows_of_numbers(std::size_t(columns));
  }
  tg::array<T, 2> matrix(const rows_of_numbers& of) { return {gpu, {rows, columns}, std::vector<T>(of.begin(), of.end())}; }
  tg::array<T, 1> row(const rows_of_numbers& of) { return {gpu, {columns}, std::vector<T>(of.begin(), of.end())}; }
};

}  // namespace

TEST_CASE_TEMPLATE("norms along the last axis, and their gradients by differences", T, float, double) {
  const double off = std::is_same_v<T, double> ? 1e-7 : 2e-5;  // differences are off by 1e-8
  for (const std::int64_t columns : {1, 2, 31, 64, 101, 1030}) {
    CAPTURE(columns);
    norm_case<T> layer(columns > 1000 ? 1 : 3, columns, true, 1e-5), rms(columns > 1000 ? 1 : 3, columns, false, 1e-6);
    const auto x = layer.matrix(layer.x), dy = layer.matrix(layer.dy);
    const auto gamma = layer.row(layer.wanted.gamma), beta = layer.row(layer.wanted.beta);
    const float layer_epsilon = 1e-5f, rms_epsilon = 1e-6f;
    CHECK(apart(tg::eval(tg::layer_norm(x, gamma, beta, layer_epsilon)).to_host(), layer.wanted(layer.x)) <= off);
    if (columns > 2)  // one or two elements have a norm without a slope
      CHECK(apart(tg::eval(tg::layer_norm_gradient(x, gamma, dy, layer_epsilon)).to_host(),
                  arrays::gradient_of(layer.wanted, layer.x, layer.dy)) <= 10 * off);
    const auto u = rms.matrix(rms.x), du = rms.matrix(rms.dy);
    const auto scale = rms.row(rms.wanted.gamma);
    CHECK(apart(tg::eval(tg::rms_norm(u, scale, rms_epsilon)).to_host(), rms.wanted(rms.x)) <= off);
    if (columns > 1)
      CHECK(apart(tg::eval(tg::rms_norm_gradient(u, scale, du, rms_epsilon)).to_host(),
                  arrays::gradient_of(rms.wanted, rms.x, rms.dy)) <= 10 * off);
  }
}

TEST_CASE("gradients of softmax and of its logarithm") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::size_t columns : {std::size_t{1}, std::size_t{3}, std::size_t{77}}) {
    const rows_of_numbers x = random_row(2 * columns, random), dy = random_row(2 * columns, random);
    const auto powers = [&](const rows_of_numbers& of, bool is_log) {
      rows_of_numbers out(of.size());
      for (std::size_t r = 0; r < 2; ++r) {
        double total = 0;
        for (std::size_t c = 0; c < columns; ++c) total += std::exp(of[r * columns + c]);
        for (std::size_t c = 0; c < columns; ++c)
          out[r * columns + c] = is_log ? of[r * columns + c] - std::log(total) : std::exp(of[r * columns + c]) / total;
      }
      return out;
    };
    const tg::array_shape<2> shape{2, std::int64_t(columns)};
    const tg::array<float, 2> dx(gpu, shape, to_floats(x)), error(gpu, shape, to_floats(dy));
    const tg::array<float, 2> y = tg::softmax<1>(dx), log_y = tg::log_softmax<1>(dx);
    const auto wanted = arrays::gradient_of([&](const auto& of) { return powers(of, false); }, x, dy);
    const auto wanted_of_log = arrays::gradient_of([&](const auto& of) { return powers(of, true); }, x, dy);
    const double floor = columns == 1 ? 1 : 1e-4;  // the slope of one element is 0
    if (columns > 1) CHECK(apart(tg::eval(tg::softmax_gradient(y, error)).to_host(), wanted) <= floor);
    if (columns > 1) CHECK(apart(tg::eval(tg::log_softmax_gradient(log_y, error)).to_host(), wanted_of_log) <= floor);
    if (columns == 1) CHECK(tg::eval(tg::softmax_gradient(y, error)).to_host() == std::vector<float>{0, 0});
  }
}

TEST_CASE("a gradient that lacks a term is found") {
  norm_case<float> own(2, 31, true, 1e-5);
  const auto x = own.matrix(own.x), dy = own.matrix(own.dy);
  const auto gamma = own.row(own.wanted.gamma);
  const auto without = tg::eval(tg::rms_norm_gradient(x - tg::mean<1>(x, tg::keep), gamma, dy, 1e-5f));
  CHECK(apart(without.to_host(), arrays::gradient_of(own.wanted, own.x, own.dy)) > 1e-3);
}

TEST_CASE("a norm of bf16 and its residual are one kernel, which reads each once") {
  tg::device gpu;
  const tg::array<tg::bf16, 2> x(gpu, {4, 64}, std::vector<tg::bf16>(256, tg::bf16(2.0f))),
      r(gpu, {4, 64}, std::vector<tg::bf16>(256, tg::bf16(1.0f)));
  const tg::array<tg::bf16, 1> gamma(gpu, {64}, std::vector<tg::bf16>(64, tg::bf16(0.5f)));
  tg::array<tg::bf16, 2> h(gpu, x.shape()), y(gpu, x.shape());
  const auto sum = tg::cast<float>(x) + tg::cast<float>(r);
  tg::assign(tg::into(h) = tg::cast<tg::bf16>(sum), tg::into(y) = tg::cast<tg::bf16>(tg::rms_norm(sum, gamma)));
  CHECK(static_cast<float>(h.to_host()[5]) == 3);
  CHECK(static_cast<float>(y.to_host()[77]) == 0.5f);
}

TEST_CASE("the norm of groups of channels, and of instances") {
  tg::device gpu("emulator");
  std::mt19937 random(random_seed());
  struct shape { std::size_t images, groups, channels, pixels; };
  for (const shape s : {shape{1, 1, 1, 1}, shape{2, 3, 4, 35}, shape{3, 8, 1, 97}, shape{1, 2, 5, 1}, shape{2, 1, 3, 1031}}) {
    CAPTURE(s.groups);
    CAPTURE(s.pixels);
    const std::size_t line = s.channels * s.pixels, count = s.images * s.groups * line, channels = s.groups * s.channels;
    const auto x = random_row(count, random), gamma = random_row(channels, random), beta = random_row(channels, random);
    rows_of_numbers wanted(count);
    for (std::size_t g = 0; g < s.images * s.groups; ++g) {
      double mean = 0, square = 0;
      for (std::size_t k = 0; k < line; ++k) mean += x[g * line + k] / double(line);
      for (std::size_t k = 0; k < line; ++k) square += (x[g * line + k] - mean) * (x[g * line + k] - mean) / double(line);
      for (std::size_t k = 0; k < line; ++k) {
        const std::size_t channel = g % s.groups * s.channels + k / s.pixels;
        wanted[g * line + k] = (x[g * line + k] - mean) / std::sqrt(square + 1e-5) * gamma[channel] + beta[channel];
      }
    }
    const auto signed_of = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    const tg::array_shape<4> grouped{signed_of(s.images), signed_of(s.groups), signed_of(s.channels), signed_of(s.pixels)};
    const tg::array_shape<2> of_channels{signed_of(s.groups), signed_of(s.channels)};
    const auto line_of = [&](const rows_of_numbers& of) {
      return tg::array<float, 1>(gpu, std::vector<float>(of.begin(), of.end()));
    };
    const auto on_x = line_of(x), on_gamma = line_of(gamma), on_beta = line_of(beta);
    tg::array<float, 1> y(gpu, {signed_of(count)});
    y.reshape(grouped) =
        tg::group_norm(on_x.reshape(grouped), on_gamma.reshape(of_channels), on_beta.reshape(of_channels), 1e-5f);
    CHECK(apart(y.to_host(), wanted) <= 2e-5);
  }
}
