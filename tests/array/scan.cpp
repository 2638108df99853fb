#include <tg/array/scan.hpp>

#include "../random_seed.hpp"
#include "reductions.hpp"

#include <tg/array/softmax.hpp>

using arrays::host;
using arrays::on_host;

namespace {

/// f over the elements up to each along an axis.
template <class F> host scan(F f, const host& x, int axis) {
  host out = x;
  std::size_t step = 1;
  for (std::size_t k = static_cast<std::size_t>(axis) + 1; k < x.rank(); ++k) step *= static_cast<std::size_t>(x.shape[k]);
  arrays::for_each_index(x.shape, [&](const auto& i, std::size_t n) {
    if (i[static_cast<std::size_t>(axis)] > 0) out.numbers[n] = f(out.numbers[n - step], x.numbers[n]);
  });
  return out;
}
constexpr auto plus = [](double a, double b) { return a + b; };
constexpr auto larger = [](double a, double b) { return std::max(a, b); };

template <class T> void check(double tolerance) {
  using S = tg::detail::summed_as<T>;
  tg::device gpu;
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {0, 1, 2, 31, 32, 33, 127, 128, 129, 256, 300, 1024, 1030, 5000};
  for (int turn = 0; turn < 14; ++turn) {
    std::vector<std::int64_t> shape;
    do shape = {sizes[random() % 14], sizes[random() % 14]};
    while (shape[0] * shape[1] > 30000);
    const host x = arrays::random_numbers<T>(shape, random);
    const arrays::on_device<T, 2> dx(gpu, x, arrays::all_layouts[random() % 5]);
    arrays::on_device<S, 2> sums(gpu, host(shape, 7.0), arrays::all_layouts[random() % 5]);
    arrays::on_device<T, 2> tops(gpu, host(shape, 7.0), arrays::all_layouts[random() % 5]);
    CAPTURE(shape[0]);
    CAPTURE(shape[1]);
    const auto both = [&]<int Axis>(std::integral_constant<int, Axis>) {
      sums.view = tg::cumsum<Axis>(dx.view);
      tops.view = tg::cummax<Axis>(dx.view);
      CHECK(arrays::excess(sums.read(), scan(plus, x, Axis), tolerance * 100) <= 1);
      CHECK(tops.read().numbers == scan(larger, x, Axis).numbers);
    };
    both(std::integral_constant<int, 0>{});
    both(std::integral_constant<int, 1>{});
  }
}

}  // namespace

TEST_CASE("sums and largest elements up to each, along rows and down columns") {
  check<float>(1e-5);
  check<double>(1e-12);
  check<int>(1e-12);
  check<std::int64_t>(1e-12);
  check<tg::bf16>(1e-5);
  check<signed char>(1e-12);
}

TEST_CASE("scans are part of their expression") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const auto& [rows, columns] :
       {std::array<std::int64_t, 2>{5, 700}, std::array<std::int64_t, 2>{200, 40}, std::array<std::int64_t, 2>{3, 9000}}) {
    const host x = arrays::random_numbers<float>({rows, columns}, random), w = arrays::random_numbers<float>({columns}, random);
    const tg::array<float, 2> dx(gpu, {rows, columns}, x.numbers);
    const tg::array<float, 1> dw(gpu, {columns}, w.numbers);
    const std::int64_t shown = columns;
    CAPTURE(shown);
    // The share of probability that comes before each: softmax has two reductions, the scan is behind them.
    tg::array<float, 2> y = dx;
    const auto shares = tg::softmax<1>(y);
    y = tg::cumsum<1>(shares) - shares;  // in place
    const host peak = arrays::max(x, {1});
    const host up = arrays::map([](double a, double b) { return std::exp(a - b); }, x, peak);
    const host p = arrays::map([](double a, double b) { return a / b; }, up, arrays::sum(up, {1}));
    CHECK(arrays::excess(on_host(y), arrays::minus(scan(plus, p, 1), p), 1e-4) <= 1);
    // Of a product, with numbers of the elements, beside a sum of the row, and a result for each row.
    tg::array<float, 2> z(gpu, {rows, columns});
    tg::array<float, 1> totals(gpu, {rows});
    const auto product = dx * dw + tg::cast<float>(tg::index_of<1>(dx));
    tg::assign(tg::into(z) = tg::cumsum<1>(product) * 2.0f + tg::sum<1>(product, tg::keep),
               tg::into(totals) = tg::sum<1>(product));
    host wanted = arrays::map([](double a, double b) { return a * b; }, x, w);
    arrays::for_each_index(wanted.shape, [&](const auto& i, std::size_t n) { wanted.numbers[n] += static_cast<double>(i[1]); });
    const host sums = arrays::sum(wanted, {1});
    CHECK(arrays::excess(on_host(totals), arrays::squeeze(sums, {1}), 1e-4) <= 1);
    const host z_wanted = arrays::map([](double a, double b) { return 2 * a + b; }, scan(plus, wanted, 1), sums);
    CHECK(arrays::excess(on_host(z), z_wanted, 1e-3) <= 1);
    // Down columns, beside the largest of each.
    z = tg::cumsum<0>(dx) / (tg::max<0>(tg::abs(dx)) + 1.0f);
    const host most = arrays::max(arrays::map([](double a) { return std::abs(a); }, x), {0});
    CHECK(arrays::excess(on_host(z), arrays::map([](double a, double b) { return a / (b + 1); }, scan(plus, x, 0), most),
                         1e-4) <= 1);
  }
}

TEST_CASE("products, smallest elements, and three dimensions") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host x = arrays::map([](double a) { return 1 + 0.01 * a; }, arrays::random_numbers<double>({7, 30, 21}, random));
  const tg::array<double, 3> dx(gpu, {7, 30, 21}, x.numbers);
  CHECK(arrays::excess(on_host(tg::eval(tg::cumprod<1>(dx))), scan([](double a, double b) { return a * b; }, x, 1), 1e-9) <= 1);
  CHECK(arrays::excess(on_host(tg::eval(tg::cumsum<0>(dx))), scan(plus, x, 0), 1e-9) <= 1);
  CHECK(on_host(tg::eval(tg::cummin<2>(dx))).numbers == scan([](double a, double b) { return std::min(a, b); }, x, 2).numbers);
  const tg::array<float, 1> line(gpu, arrays::counted(1000));
  const auto up = tg::eval(tg::cumsum(line));
  CHECK(up.to_host()[999] == 499500.0f);
}

TEST_CASE("a scan does not fit a result of another extent") {
  tg::device gpu;
  tg::array<float, 2> x(gpu, {4, 6}), one(gpu, {4, 1}), y(gpu, {4, 6});
  one = 3.0f;
  y = tg::cumsum<1>(one);  // one element is its own sum
  CHECK(y.to_host()[5] == 3.0f);
  CHECK_THROWS_AS(one = tg::cumsum<1>(x), tg::error);
}
