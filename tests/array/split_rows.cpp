#include <tg/array/split_rows.hpp>

#include <cmath>

#include <tg/array/softmax.hpp>
#include <tg/runtime/telemetry.hpp>

#include "arrays.hpp"

using arrays::long_line;
using arrays::sum_of;

TEST_CASE("blocks share a long row: one launch, and the same again") {
  tg::device gpu;
  const auto all = long_line(300000);
  const tg::array<double, 1> x(gpu, all);
  tg::array<double, 0> s(gpu, {}), most(gpu, {}), mean(gpu, {});
  tg::array<int, 0> place(gpu, {});
  CHECK(tg::kernel_of(tg::into(s) = tg::sum(x)).blocks() > 1);
  for (int turn = 0; turn < 3; ++turn) {
    s = 0.0;
    const auto before = tg::telemetry_of(gpu).launches;
    tg::assign(tg::into(s) = tg::sum(x), tg::into(most) = tg::max(x), tg::into(place) = tg::argmax(x),
               tg::into(mean) = tg::mean(x));
    CHECK(tg::telemetry_of(gpu).launches == before + 1);
    CHECK(s.item() == sum_of(all));
    CHECK(most.item() == 699);
    CHECK(place.item() == std::max_element(all.begin(), all.end()) - all.begin());
    CHECK(mean.item() == sum_of(all) / 300000);
  }
}

TEST_CASE("a few long rows, and rows of halves") {
  tg::device gpu;
  const auto all = long_line(3 * 100001);
  const tg::array<float, 2> x(gpu, {3, 100001}, all);
  const tg::array<double, 1> sums = tg::sum<1>(tg::cast<double>(x)) * 2.0;
  for (std::size_t r = 0; r < 3; ++r)
    CHECK(sums.to_host()[r] ==
          2 * sum_of({all.begin() + static_cast<long>(r * 100001), all.begin() + static_cast<long>((r + 1) * 100001)}));
  const tg::array<tg::f16, 1> ones(gpu, std::vector<float>(200000, 1.0f));
  CHECK(tg::eval(tg::sum(ones)).item() == 200000.0f);
}

TEST_CASE("a part's sum of powers is moved to the peak of the whole row") {
  tg::device gpu;
  constexpr std::int64_t n = 200000;
  for (const std::int64_t peak : {std::int64_t{0}, n / 2 + 7, n - 1}) {
    CAPTURE(peak);
    std::vector<double> x(n);
    for (std::size_t k = 0; k < x.size(); ++k)  // each part has a peak of its own
      x[k] = 90 - 1e-3 * static_cast<double>(std::abs(static_cast<std::int64_t>(k) - peak));
    double sum = 0;
    for (const double v : x) sum += std::exp(v - 90);
    const tg::array<double, 1> dx(gpu, x);
    tg::array<double, 0> total(gpu, {}), most(gpu, {});
    tg::assign(tg::into(total) = tg::logsumexp(dx), tg::into(most) = tg::max(dx));
    CHECK(tg::kernel_of(tg::into(total) = tg::logsumexp(dx)).blocks() > 1);
    CHECK(std::abs(total.item() - (90 + std::log(sum))) < 1e-9);
    CHECK(most.item() == 90);
  }
}
