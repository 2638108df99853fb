#include <tg/array/reduce.hpp>

#include "../random_seed.hpp"
#include "reductions.hpp"

using arrays::check;
using arrays::host;

namespace {

/// The place of the largest number along axes, counted as in memory.
host argmax(const host& x, const std::vector<int>& axes) {
  const host peak = arrays::max(x, axes);
  host out = arrays::fold([](double a, double) { return a; }, -1, x, axes);
  arrays::for_each_index(x.shape, [&](const auto& i, std::size_t n) {
    std::size_t place = 0;
    double number = 0;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      const bool is_reduced = std::find(axes.begin(), axes.end(), static_cast<int>(k)) != axes.end();
      place = place * static_cast<std::size_t>(out.shape[k]) + static_cast<std::size_t>(is_reduced ? 0 : i[k]);
      if (is_reduced) number = number * static_cast<double>(x.shape[k]) + static_cast<double>(i[k]);
    }
    if (out.numbers[place] < 0 && x.numbers[n] == peak.numbers[place]) out.numbers[place] = number;
  });
  return out;
}

}  // namespace

TEST_CASE("sums, products and extrema") {
  check<float>(TG_TEST_REDUCTION(sum), arrays::sum, 2e-3, true);
  check<double>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-10, true);
  check<int>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-12, true);
  check<std::int8_t>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-12);
  check<std::uint8_t>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-12);
  check<tg::f16>(TG_TEST_REDUCTION(sum), arrays::sum, 2e-3);
  check<std::int64_t>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-12);
  check<bool>(TG_TEST_REDUCTION(sum), arrays::sum, 1e-12);
  check<float>(TG_TEST_REDUCTION(max), arrays::max, 1e-12);
  check<tg::bf16>(TG_TEST_REDUCTION(max), arrays::max, 1e-12);
  check<std::int16_t>(TG_TEST_REDUCTION(max), arrays::max, 1e-12);
  check<unsigned>(TG_TEST_REDUCTION(max), arrays::max, 1e-12);
  check<double>(
      TG_TEST_REDUCTION(min),
      [](const host& x, const auto& axes) {
        return arrays::map([](double a) { return -a; }, arrays::max(arrays::map([](double a) { return -a; }, x), axes));
      },
      1e-12);
  check<double>([]<int... A>(std::integer_sequence<int, A...>, const auto& x) { return tg::product<A...>(x * 0.01 + 1.0); },
                [](const host& x, const auto& axes) {
                  return arrays::fold([](double a, double b) { return a * b; }, 1,
                                      arrays::map([](double a) { return a * 0.01 + 1; }, x), axes);
                },
                1e-9, true);
}

TEST_CASE("conditions for any and for all") {
  const auto bits = [](auto f, double first) {
    return [=](const host& x, const auto& axes) { return arrays::fold(f, first, x, axes); };
  };
  check<bool>(TG_TEST_REDUCTION(any), bits([](double a, double b) { return std::max(a, b); }, 0), 1e-12, true);
  check<bool>(TG_TEST_REDUCTION(all), bits([](double a, double b) { return std::min(a, b); }, 1), 1e-12, true);
}

TEST_CASE("places of extrema, the first of equal ones") {
  check<float>(TG_TEST_REDUCTION(argmax), argmax, 1e-12);
  check<std::int8_t>(TG_TEST_REDUCTION(argmax), argmax, 1e-12);
  check<int>(
      TG_TEST_REDUCTION(argmin),
      [](const host& x, const auto& axes) { return argmax(arrays::map([](double a) { return -a; }, x), axes); }, 1e-12);
}

TEST_CASE("any function that is associative") {
  check<float>(
      []<int... A>(std::integer_sequence<int, A...>, const auto& x) {
        return tg::reduce<A...>(x, 0.0f, [](auto a, auto b) { return tg::max(tg::abs(a), tg::abs(b)); });
      },
      [](const host& x, const auto& axes) {
        return arrays::fold([](double a, double b) { return std::max(std::abs(a), std::abs(b)); }, 0, x, axes);
      },
      1e-12, true);
  check<unsigned>([]<int... A>(std::integer_sequence<int, A...>,
                               const auto& x) { return tg::reduce<A...>(x, 0, [](auto a, auto b) { return a ^ b; }); },
                  [](const host& x, const auto& axes) {
                    return arrays::fold([](double a, double b) { return static_cast<unsigned>(a) ^ static_cast<unsigned>(b); },
                                        0, x, axes);
                  },
                  1e-12, true);
}

TEST_CASE("a reduction that loses its dimension stands beside arrays as numpy has it") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host x = arrays::random_numbers<float>({6, 6}, random), z = arrays::random_numbers<float>({6, 9}, random);
  const tg::array<float, 2> dx(gpu, {6, 6}, x.numbers), dz(gpu, {6, 9}, z.numbers);
  const auto check_sum = [&](const tg::array<float, 2>& y, const host& sums) {
    const auto own = y.to_host();
    CHECK(arrays::excess(host{{6, 6}, std::vector<double>(own.begin(), own.end())},
                         arrays::map([](double a, double b) { return a + b; }, x, sums), 1e-5) <= 1);
  };
  check_sum(tg::eval(dx + tg::sum<1>(dx)), arrays::squeeze(arrays::sum(x, {1}), {1}));
  check_sum(tg::eval(dx + tg::sum<1>(dz)), arrays::squeeze(arrays::sum(z, {1}), {1}));  // of rows of another length
  check_sum(tg::eval(dx + tg::sum<0>(dx)), arrays::squeeze(arrays::sum(x, {0}), {0}));
  check_sum(tg::eval(dx + tg::sum(dz)), arrays::squeeze(arrays::sum(z, {0, 1}), {0, 1}));
}

TEST_CASE("what is no number is no extremum and nowhere, for rows of any length") {
  tg::device gpu;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t n : {2, 3, 31, 32, 33, 64, 256, 257, 1000, 5000, 40000, 300000}) {
    std::vector<float> all(n, nan);
    const tg::array<float, 1> none(gpu, all);
    CHECK(tg::eval(tg::argmax(none)).item() == 0);
    CHECK(std::isnan(tg::eval(tg::max(none)).item()));
    all[n / 2] = -3;
    const tg::array<float, 1> one(gpu, all);
    CHECK(tg::eval(tg::argmax(one)).item() == static_cast<int>(n / 2));
    CHECK(tg::eval(tg::argmin(one)).item() == static_cast<int>(n / 2));
    CHECK(tg::eval(tg::max(one)).item() == -3.0f);
  }
}

TEST_CASE("of equal extrema the first is named, and infinities are numbers") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const std::int64_t n : {1, 2, 5, 31, 33, 128, 512, 1000, 4099, 70000}) {
    constexpr std::int64_t rows = 9;
    std::vector<float> all;
    const float few[] = {nan, -infinity, -1, 0, 1, infinity};
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::size_t least = random() % 2, kinds = 1 + random() % 5;  // with NaN or without
      for (std::int64_t k = 0; k < n; ++k) all.push_back(few[std::min(least + random() % kinds, std::size(few) - 1)]);
    }
    const tg::array<float, 2> x(gpu, {rows, n}, all);
    const auto greatest = tg::eval(tg::argmax<1>(x)).to_host(), smallest = tg::eval(tg::argmin<1>(x)).to_host();
    const auto transposed = tg::eval(tg::argmax<0>(tg::transpose(x))).to_host();
    for (std::int64_t r = 0; r < rows; ++r) {
      std::int64_t most = -1, least = -1;
      for (std::int64_t k = 0; k < n; ++k) {
        const auto at = [&](std::int64_t c) { return all[static_cast<std::size_t>(r * n + c)]; };
        if (std::isnan(at(k))) continue;
        if (most < 0 || at(k) > at(most)) most = k;
        if (least < 0 || at(k) < at(least)) least = k;
      }
      const auto row = static_cast<std::size_t>(r);
      CHECK(greatest[row] == std::max(most, std::int64_t{0}));
      CHECK(transposed[row] == std::max(most, std::int64_t{0}));
      CHECK(smallest[row] == std::max(least, std::int64_t{0}));
    }
  }
}
