// Arrays on the host, in double, for tests of arrays: what an expression gives, element by element; and views of the same
// numbers in any layout on the device.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>

namespace arrays {

/// An array of any rank, row by row.
struct host {
  std::vector<std::int64_t> shape;
  std::vector<double> numbers;

  explicit host(std::vector<std::int64_t> s, double first = 0) : shape(std::move(s)), numbers(count_of(shape), first) {}
  host(std::vector<std::int64_t> s, std::vector<double> n) : shape(std::move(s)), numbers(std::move(n)) {}

  static std::size_t count_of(const std::vector<std::int64_t>& shape) {
    std::size_t out = 1;
    for (const auto n : shape) out *= static_cast<std::size_t>(n);
    return out;
  }
  std::size_t rank() const { return shape.size(); }
};

/// Calls `f(indices, number)` for each element of a shape.
template <class F> void for_each_index(const std::vector<std::int64_t>& shape, F f) {
  std::vector<std::int64_t> at(shape.size(), 0);
  const std::size_t count = host::count_of(shape);
  for (std::size_t n = 0; n < count; ++n) {
    f(at, n);
    for (std::size_t k = shape.size(); k-- > 0 && ++at[k] == shape[k];) at[k] = 0;
  }
}

/// The place of the element that broadcasting finds at these indices of a larger shape.
inline std::size_t place_in(const host& x, const std::vector<std::int64_t>& indices) {
  std::size_t place = 0;
  for (std::size_t k = 0; k < x.rank(); ++k) {
    const std::int64_t i = indices[indices.size() - x.rank() + k];
    place = place * static_cast<std::size_t>(x.shape[k]) + static_cast<std::size_t>(x.shape[k] == 1 ? 0 : i);
  }
  return place;
}
inline double at(const host& x, const std::vector<std::int64_t>& indices) { return x.numbers[place_in(x, indices)]; }

inline std::vector<std::int64_t> joined(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::vector<std::int64_t> out(std::max(a.size(), b.size()), 1);
  for (const auto* s : {&a, &b})
    for (std::size_t k = 0; k < s->size(); ++k) {
      auto& own = out[out.size() - s->size() + k];
      if ((*s)[k] != 1) own = (*s)[k];
    }
  return out;
}

/// f of corresponding elements.
template <class F> host map(F f, const host& a) {
  host out(a.shape);
  for (std::size_t k = 0; k < out.numbers.size(); ++k) out.numbers[k] = f(a.numbers[k]);
  return out;
}
template <class F> host map(F f, const host& a, const host& b) {
  host out(joined(a.shape, b.shape));
  for_each_index(out.shape, [&](const auto& i, std::size_t n) { out.numbers[n] = f(at(a, i), at(b, i)); });
  return out;
}

/// f over the elements along axes, which stay with extent 1.
template <class F> host fold(F f, double first, const host& x, const std::vector<int>& axes) {
  host out(x.shape);
  for (const int a : axes) out.shape[static_cast<std::size_t>(a)] = 1;
  out.numbers.assign(host::count_of(out.shape), first);
  for_each_index(x.shape, [&](const auto& i, std::size_t n) {
    std::size_t place = 0;
    for (std::size_t k = 0; k < x.rank(); ++k)
      place = place * static_cast<std::size_t>(out.shape[k]) + static_cast<std::size_t>(out.shape[k] == 1 ? 0 : i[k]);
    out.numbers[place] = f(out.numbers[place], x.numbers[n]);
  });
  return out;
}
inline host sum(const host& x, const std::vector<int>& axes) {
  return fold([](double a, double b) { return a + b; }, 0, x, axes);
}
inline host max(const host& x, const std::vector<int>& axes) {
  return fold([](double a, double b) { return std::max(a, b); }, -std::numeric_limits<double>::infinity(), x, axes);
}
/// Without the dimensions `axes`, which have extent 1.
inline host squeeze(host x, std::vector<int> axes) {
  std::sort(axes.rbegin(), axes.rend());
  for (const int a : axes) x.shape.erase(x.shape.begin() + a);
  return x;
}

/// 0, 1, 2, ...
inline std::vector<float> counted(std::size_t n) {
  std::vector<float> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<float>(k);
  return out;
}

/// Integers from -300 to 699, whose sums doubles hold exactly.
inline std::vector<double> long_line(std::size_t n) {
  std::vector<double> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<double>((k * 7919) % 1000) - 300;
  return out;
}
inline double sum_of(const std::vector<double>& all) {
  double out = 0;
  for (const double x : all) out += x;
  return out;
}

template <int Rank> std::vector<std::int64_t> shape_of(const tg::array_shape<Rank>& s) {
  return {s.extents.begin(), s.extents.begin() + Rank};
}
template <int Rank> tg::array_shape<Rank> to_shape(const std::vector<std::int64_t>& s) {
  tg::array_shape<Rank> out;
  for (int k = 0; k < Rank; ++k) out[k] = s[static_cast<std::size_t>(k)];
  return out;
}

/// An array's elements.
template <class T, int Rank> host on_host(const tg::array<T, Rank>& a) {
  const auto own = a.template to<std::vector>();
  return host(shape_of(a.shape()), std::vector<double>(own.begin(), own.end()));
}

/// The plan of `y = x`.
template <class T, int Rank, class X> tg::detail::array_plan plan_of(const tg::array_view<T, Rank>& y, const X& x) {
  const tg::detail::assigned_expression<T, Rank> own(x);
  tg::detail::result_list results;
  results.places[0] = y.node().place();
  results.count = 1;
  return tg::detail::make_plan(*own.facts, results, own.operands, {});
}

/// Random numbers that a T holds exactly.
template <class T> host random_numbers(std::vector<std::int64_t> shape, std::mt19937& random) {
  host out(std::move(shape));
  std::normal_distribution<float> normal;
  for (double& x : out.numbers) {
    if constexpr (std::is_same_v<T, bool>) x = random() % 2;
    else if constexpr (std::is_integral_v<T>)
      x = static_cast<double>(static_cast<int>(random() % 100)) - (std::is_signed_v<T> ? 50 : 0);
    else if constexpr (std::is_same_v<T, double>) x = static_cast<double>(normal(random));
    else x = static_cast<double>(static_cast<float>(T(normal(random))));
  }
  return out;
}

/// A layout: dense, a slice of something larger, every second column, transposed in memory, beginning anywhere.
enum class layout { dense, padded, stepped, transposed, shifted };
inline constexpr layout all_layouts[] = {layout::dense, layout::padded, layout::stepped, layout::transposed, layout::shifted};

/// The numbers on the device, in a layout. What lies between them is NaN, of integers the smallest.
template <class T, int Rank> struct on_device {
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
  tg::array<T, 1> memory;
  tg::array_view<T, Rank> view;

  on_device(const tg::device& gpu, const host& numbers, layout how)
      : memory(make(gpu, numbers, how)), view(cut(numbers, how)) {}

  /// What the device has now. Fails where something outside of the view was written.
  host read() {
    host out(shape_of(view.shape()));
    const auto own = view.template to<std::vector>();
    for (std::size_t k = 0; k < own.size(); ++k) out.numbers[k] = static_cast<double>(own[k]);
    const auto now = memory.template to<std::vector>();
    std::vector<bool> is_own(now.size(), false);
    for_each_index(out.shape, [&](const auto& i, std::size_t) { is_own[place_of(i)] = true; });
    bool is_kept = true;
    for (std::size_t k = 0; k < now.size(); ++k) is_kept = is_kept && (is_own[k] || is_gap(now[k]));
    CHECK(is_kept);
    return out;
  }

 private:
  static T gap() {
    if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::min();
    else return T(std::numeric_limits<float>::quiet_NaN());
  }
  static bool is_gap(T x) {
    if constexpr (std::is_integral_v<T>) return x == gap();
    else return std::isnan(static_cast<double>(x));
  }
  std::size_t place_of(const std::vector<std::int64_t>& i) const {
    std::int64_t out = static_cast<std::int64_t>((view.native() - memory.native()) / sizeof(T));
    for (int k = 0; k < Rank; ++k) out += i[static_cast<std::size_t>(k)] * view.strides()[k];
    return static_cast<std::size_t>(out);
  }

  tg::array<T, 1> make(const tg::device& gpu, const host& numbers, layout how) {
    const auto rank = numbers.rank();
    strides.assign(rank, 0);
    std::int64_t own = how == layout::stepped ? 2 : 1;
    for (std::size_t n = 0; n < rank; ++n) {
      const std::size_t k = how == layout::transposed ? n : rank - 1 - n;
      strides[k] = own;
      own *= numbers.shape[k] + (how == layout::padded && n == 0 ? 5 : 0);
    }
    offset = how == layout::shifted ? 3 : how == layout::padded ? 4 : 0;
    const std::int64_t size = own + offset + 1;
    std::vector<T> all(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)), gap());
    for_each_index(numbers.shape, [&](const auto& i, std::size_t n) {
      std::int64_t place = offset;
      for (std::size_t k = 0; k < rank; ++k) place += i[k] * strides[k];
      all[static_cast<std::size_t>(place)] = T(static_cast<float>(numbers.numbers[n]));
      if constexpr (std::is_arithmetic_v<T>) all[static_cast<std::size_t>(place)] = static_cast<T>(numbers.numbers[n]);
    });
    return tg::array<T, 1>(gpu, all);
  }
  tg::array_view<T, Rank> cut(const host& numbers, layout) {
    tg::detail::array_leaf<T, Rank> leaf = {{},
                                            memory.node().memory,
                                            memory.context(),
                                            memory.native() + static_cast<std::uint64_t>(offset) * sizeof(T),
                                            to_shape<Rank>(numbers.shape),
                                            {}};
    for (int k = 0; k < Rank; ++k) leaf.strides[k] = strides[static_cast<std::size_t>(k)];
    return tg::array_view<T, Rank>(leaf);
  }
};

/// The largest difference, as a multiple of what is allowed: `relative` of the larger number, and of 1.
inline double excess(const host& got, const host& wanted, double relative) {
  if (got.shape != wanted.shape) return std::numeric_limits<double>::infinity();
  double out = 0;
  for (std::size_t k = 0; k < got.numbers.size(); ++k) {
    const double a = got.numbers[k], b = wanted.numbers[k];
    if (std::isnan(a) != std::isnan(b)) return std::numeric_limits<double>::infinity();
    if (a == b || std::isnan(a)) continue;
    out = std::max(out, std::abs(a - b) / (relative * std::max(1.0, std::abs(b))));
  }
  return out;
}

}  // namespace arrays
