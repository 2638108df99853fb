#include <tg/array/reductions.hpp>

#include "reductions.hpp"

TEST_CASE("several reductions of one level, of several types, are one pass") {
  tg::device gpu;
  for (const std::int64_t n : {5, 33, 700, 3000, 40000}) {
    std::vector<double> numbers(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>((k * 7919) % 1000) - 300;
    const tg::array<double, 1> x(gpu, numbers);
    const tg::array<int, 1> whole = tg::cast<int>(x);
    tg::array<double, 0> s(gpu, {}), most(gpu, {});
    tg::array<int, 0> total(gpu, {}), place(gpu, {});
    tg::array<bool, 0> is_any(gpu, {});
    tg::assign(tg::into(s) = tg::sum(x), tg::into(most) = tg::max(x), tg::into(total) = tg::sum(whole),
               tg::into(place) = tg::argmax(whole), tg::into(is_any) = tg::any(whole == 699));
    double wanted = 0;
    for (const double v : numbers) wanted += v;
    const auto largest = std::max_element(numbers.begin(), numbers.end());
    CHECK(s.item() == wanted);
    CHECK(most.item() == *largest);
    CHECK(total.item() == static_cast<int>(wanted));
    CHECK(place.item() == largest - numbers.begin());
    CHECK(is_any.item() == (*largest == 699));
  }
}
