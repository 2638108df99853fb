// Reductions on the device beside the host's.
#pragma once

#include "../random_seed.hpp"
#include "arrays.hpp"

namespace arrays {

/// Reductions of rows, of columns and of everything against the host's, for random shapes and layouts.
template <class T, class Device, class Host>
void check(Device device, Host on_host, double tolerance, bool of_nothing = false) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {1, 2, 3, 7, 8, 16, 31, 33, 64, 127, 128, 257, 1000};
  for (int turn = 0; turn < 12; ++turn) {
    std::vector<std::int64_t> shape;
    do shape = {sizes[random() % 13], sizes[random() % 13]};
    while (shape[0] * shape[1] > 20000);
    if (of_nothing && turn == 0) shape[random() % 2] = 0;
    const host x = arrays::random_numbers<T>(shape, random);
    const arrays::on_device<T, 2> dx(gpu, x, arrays::all_layouts[random() % 5]);
    const auto compare = [&](auto got, const host& wanted) {
      const auto own = got.template to<std::vector>();
      CAPTURE(shape[0]);
      CAPTURE(shape[1]);
      CHECK(arrays::excess(host{arrays::shape_of(got.shape()), std::vector<double>(own.begin(), own.end())}, wanted,
                           tolerance) <= 1);
    };
    compare(tg::eval(device(std::integer_sequence<int, 0>{}, dx.view)), arrays::squeeze(on_host(x, std::vector{0}), {0}));
    compare(tg::eval(device(std::integer_sequence<int, 1>{}, dx.view)), arrays::squeeze(on_host(x, std::vector{1}), {1}));
    compare(tg::eval(device(std::integer_sequence<int, 0, 1>{}, dx.view)),
            arrays::squeeze(on_host(x, std::vector{0, 1}), {0, 1}));
  }
}

#define TG_TEST_REDUCTION(word) []<int... A>(std::integer_sequence<int, A...>, const auto& x) { return tg::word<A...>(x); }

inline double count_along(const host& x, const std::vector<int>& axes) {
  double out = 1;
  for (const int a : axes) out *= static_cast<double>(x.shape[static_cast<std::size_t>(a)]);
  return out;
}
inline host mean(const host& x, const std::vector<int>& axes) {
  return arrays::map([n = count_along(x, axes)](double s) { return s / n; }, arrays::sum(x, axes));
}
inline host minus(const host& a, const host& b) {
  return arrays::map([](double x, double y) { return x - y; }, a, b);
}
inline host squares(const host& a) {
  return arrays::map([](double x) { return x * x; }, a);
}

}  // namespace arrays
