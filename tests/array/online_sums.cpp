#include <tg/array/online_sums.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tg/array/kernel_of.hpp>
#include <tg/array/softmax.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/emulator.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

/// The largest element of a line, and the sum of exp(x - largest).
struct line_sum {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;

  /// `step`: from one element of the line to the next.
  line_sum(const float* x, std::int64_t count, std::int64_t step) {
    for (std::int64_t k = 0; k < count; ++k)
      if (x[k * step] > largest) largest = x[k * step];
    for (std::int64_t k = 0; k < count; ++k) sum += std::exp(x[k * step] - largest);
  }
};

/// Lines that are hard for a sum with a peak that moves.
std::vector<float> line_of(int kind, std::int64_t n, std::mt19937& random) {
  std::uniform_real_distribution<float> any(-8, 8);
  std::vector<float> x(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < x.size(); ++k) {
    const auto at = static_cast<float>(k) / static_cast<float>(n);
    switch (kind) {
      case 0: x[k] = any(random); break;
      case 1: x[k] = 200 * at - 100 + any(random); break;                // each element may be the largest so far
      case 2: x[k] = 100 - 200 * at; break;                              // the first one is
      case 3: x[k] = k + 5 < x.size() ? -infinity : any(random); break;  // masked but for the end
      case 4: x[k] = k % 7 == 0 ? any(random) : -infinity; break;        // masked here and there
      case 5: x[k] = k == x.size() / 2 ? 3e38f : -3e38f; break;          // as far apart as floats are
      default: x[k] = -3.4e38f; break;                                   // near the lowest number
    }
  }
  return x;
}

/// An n-element sum that moves to another peak about log(n) times, each exp within 2.2 units in the last place.
double bound_of(double exact, std::int64_t n) {
  return std::abs(exact) * (64 + std::sqrt(static_cast<double>(n))) * 1.2e-7 + 1e-37;
}

/// Whether a softmax's element is near exp(x - largest) / sum. The distance to the largest is rounded before its exponential.
bool is_power(float found, float x, const line_sum& exact, std::int64_t n) {
  const double own = std::exp(x - exact.largest) / exact.sum;
  const double apart = x == -infinity ? 0 : std::abs(x - exact.largest);
  return std::abs(found - own) <= bound_of(own, n) + own * apart * 1.2e-7;
}

/// Bytes that a kernel reads, as a multiple of the array's.
template <class Y, class E> double times_read(Y& y, const E& expression, std::int64_t count) {
  tg::emulator::count_launches(true);
  y = expression;
  tg::emulator::count_launches(false);
  std::uint64_t sectors = 0;
  for (const auto& i : tg::emulator::counters_of_last_launch().instructions)
    if (i.op == tg::ptx::opcode::ld && i.space == tg::ptx::token::global) sectors += i.sectors;
  return 32.0 * static_cast<double>(sectors) / (4.0 * static_cast<double>(count));
}

}  // namespace

TEST_CASE("softmax and the logarithm of its sum, of rows that registers do not hold") {
  tg::device gpu("emulator");
  std::mt19937 random(random_seed());
  for (const std::int64_t n : {32768 + 4, 40001, 70000})
    for (int kind = 0; kind < 7; ++kind) {
      CAPTURE(n);
      CAPTURE(kind);
      const std::vector<float> x = line_of(kind, n, random);
      const tg::array<float, 2> dx(gpu, {1, n}, x);
      const line_sum exact(x.data(), n, 1);
      const float found = tg::eval(tg::logsumexp<1>(dx)).to_host()[0];
      const double wanted = exact.largest + std::log(exact.sum);
      CHECK(std::abs(found - wanted) <= std::abs(wanted) * 6e-8 + bound_of(1, n));
      const std::vector<float> powers = tg::eval(tg::softmax<1>(dx)).to_host();
      std::int64_t wrong = 0;
      for (std::size_t k = 0; k < powers.size(); ++k) wrong += !is_power(powers[k], x[k], exact, n);
      CHECK(wrong == 0);
    }
}

TEST_CASE("softmax down columns, with a peak for each column") {
  tg::device gpu("emulator");
  std::mt19937 random(random_seed());
  for (const std::int64_t columns : {1, 33, 128})
    for (const std::int64_t n : {1, 7, 257, 1000}) {
      std::vector<float> x(static_cast<std::size_t>(n * columns));
      for (std::int64_t c = 0; c < columns; ++c) {
        const std::vector<float> own = line_of(static_cast<int>(c % 7), n, random);
        for (std::int64_t r = 0; r < n; ++r) x[static_cast<std::size_t>(r * columns + c)] = own[static_cast<std::size_t>(r)];
      }
      const tg::array<float, 2> dx(gpu, {n, columns}, x);
      const std::vector<float> powers = tg::eval(tg::softmax<0>(dx)).to_host();
      std::int64_t wrong = 0;
      for (std::int64_t c = 0; c < columns; ++c) {
        const line_sum exact(&x[static_cast<std::size_t>(c)], n, columns);
        for (std::int64_t r = 0; r < n; ++r) {
          const auto k = static_cast<std::size_t>(r * columns + c);
          wrong += !is_power(powers[k], x[k], exact, n);
        }
      }
      CAPTURE(n);
      CAPTURE(columns);
      CHECK(wrong == 0);
    }
}

TEST_CASE("what is infinite or no number gives what two passes give") {
  tg::device gpu("emulator");
  constexpr std::int64_t n = 40000;
  const auto line = [&](float all, std::vector<std::pair<std::size_t, float>> others) {
    std::vector<float> x(n, all);
    for (const auto& [k, number] : others) x[k] = number;
    return tg::array<float, 2>(gpu, {1, n}, x);
  };
  const auto total = [](const tg::array<float, 2>& x) { return tg::eval(tg::logsumexp<1>(x)).to_host()[0]; };
  const auto power = [](const tg::array<float, 2>& x, std::size_t k) { return tg::eval(tg::softmax<1>(x)).to_host()[k]; };
  CHECK(total(line(-infinity, {})) == -infinity);
  CHECK(std::isnan(power(line(-infinity, {}), 7)));
  CHECK(total(line(1, {{30000, infinity}})) == infinity);
  CHECK(std::isnan(power(line(1, {{30000, infinity}}), 30000)));
  CHECK(total(line(-infinity, {{39999, 2.5f}})) == 2.5f);
  CHECK(power(line(-infinity, {{39999, 2.5f}}), 39999) == 1.0f);
  CHECK(power(line(-infinity, {{39999, 2.5f}}), 0) == 0.0f);
  CHECK(std::isnan(total(line(1, {{12345, no_number}}))));
  CHECK(std::isnan(total(line(no_number, {}))));
  CHECK(std::isnan(power(line(1, {{12345, no_number}}), 3)));
}

TEST_CASE("the sum takes no pass of its own") {
  tg::device gpu("emulator");
  constexpr std::int64_t rows = 65, n = 32768 + 256, count = rows * n;  // more rows than blocks share
  const tg::array<float, 2> x(gpu, {rows, n}, std::vector<float>(count, 0.5f));
  tg::array<float, 2> y(gpu, x.shape());
  tg::array<float, 1> of_rows(gpu, {rows}), of_columns(gpu, {n});
  CHECK(times_read(y, tg::softmax<1>(x), count) == 2);
  CHECK(times_read(y, tg::log_softmax<1>(x), count) == 2);
  CHECK(times_read(of_rows, tg::logsumexp<1>(x), count) == 1);
  CHECK(times_read(of_rows, tg::logsumexp<1>(x) - tg::sum<1>(x * 2.0f), count) == 1);
  CHECK(times_read(of_columns, tg::logsumexp<0>(x), count) == 1);
  // The largest of other elements is found first.
  CHECK(times_read(of_rows, tg::sum<1>(tg::exp(x * 2.0f - tg::max<1>(x, tg::keep))), count) == 2);
  CHECK(std::abs(of_rows.to_host()[1] - n * std::exp(0.5f)) < 0.1f);
  // Beside another reduction that needs a pass, the sum is part of that one.
  CHECK(times_read(of_rows, tg::logsumexp<1>(x) + tg::variance<1>(x), count) == 2);
  CHECK(std::abs(of_rows.to_host()[1] - (0.5 + std::log(double{n}))) < 1e-4);
  // A few rows are shared by blocks, which read each other's parts.
  const tg::array<float, 2> few = tg::eval(x(tg::range(0, 3), tg::range(0, n)));
  tg::array<float, 1> of_few(gpu, {3});
  CHECK(tg::kernel_of(tg::into(of_few) = tg::logsumexp<1>(few)).blocks() > 3);
  CHECK(times_read(of_few, tg::logsumexp<1>(few), 3 * n) < 1.001);
  CHECK(std::abs(of_few.to_host()[1] - (0.5 + std::log(double{n}))) < 1e-4);
}

TEST_CASE("two sums with one peak, and sums of doubles and of halves") {
  tg::device gpu("emulator");
  std::mt19937 random(random_seed());
  constexpr std::int64_t n = 70001;
  const std::vector<float> x = line_of(1, n, random);
  const line_sum exact(x.data(), n, 1);
  const tg::array<double, 2> wide(gpu, {1, n}, std::vector<double>(x.begin(), x.end()));
  CHECK(std::abs(tg::eval(tg::logsumexp<1>(wide)).to_host()[0] - (exact.largest + std::log(exact.sum))) < 1e-11 * n);
  const tg::array<float, 2> dx(gpu, {1, n}, x);
  tg::array<float, 1> a(gpu, {1}), b(gpu, {1});
  const auto largest = tg::max<1>(dx, tg::keep);
  tg::assign(tg::into(a) = tg::sum<1>(tg::exp(dx - largest)), tg::into(b) = tg::logsumexp<1>(dx));
  CHECK(std::abs(a.to_host()[0] - exact.sum) <= bound_of(exact.sum, n));
  CHECK(std::abs(b.to_host()[0] - (exact.largest + std::log(exact.sum))) < 1e-4);
  const tg::array<tg::bf16, 2> half = tg::cast<tg::bf16>(dx);
  std::vector<float> rounded(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) rounded[k] = static_cast<float>(static_cast<tg::bf16>(x[k]));
  const line_sum exact_half(rounded.data(), n, 1);
  CHECK(std::abs(tg::eval(tg::logsumexp<1>(half)).to_host()[0] - (exact_half.largest + std::log(exact_half.sum))) < 1e-4);
}
