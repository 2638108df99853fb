// Whether a gradient is that of its function: beside differences of the function, without a tape.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <tg/array/array.hpp>
#include <tg/array/codes.hpp>
#include <tg/array/shape.hpp>

namespace tg {

/// How a gradient is checked.
struct gradient_options {
  int samples = 32;        ///< elements of x whose derivatives are taken; all where there are fewer
  double step = 0;         ///< of a difference, for an element of size 1; 0: the cube root of the type's precision
  std::uint32_t seed = 1;  ///< of the error at the result, and of which elements are taken
};

/// The element whose derivative is farthest off.
struct gradient_check {
  double worst = 0;          ///< how far, as a share of the largest derivative
  std::int64_t element = 0;  ///< its number in row-major order
  double found = 0;          ///< what the gradient says
  double wanted = 0;         ///< what differences say
};

/// Checks `g(x, dy)`, how an error dy at `f(x)` goes back to x, by central differences of `sum(dy * f(x))`. Both return an
/// expression or an array; those of g are of the shape of x. Differences are off themselves: take x of doubles, for which right
/// gradients are within 1e-7, where floats have 1e-2. Cost: two evaluations of f for each sample, by the host in turn.
/// Errors: TG700 for a gradient of another shape; those of f and g.
/// Example: tg::check_gradient([](const auto& x) { return tg::exp(x); }, [](const auto& x, const auto& dy) { return dy *
/// tg::exp(x); }, x)
template <class F, class G, class T, int Rank>
gradient_check check_gradient(F f, G g, const array<T, Rank>& x, gradient_options how = {},
                              source_location where = source_location::current()) {
  static_assert(std::is_floating_point_v<T>, "TG716: a gradient is checked of float or double");
  gradient_check out;
  if (x.size() == 0) return out;
  std::mt19937 random(how.seed);
  const tg::device gpu(x.context()->shared_from_this());

  const auto y = tg::eval(f(x));
  std::vector<T> errors(static_cast<std::size_t>(y.size()));
  std::uniform_real_distribution<double> any(-1, 1);
  for (T& e : errors) e = static_cast<T>(any(random));
  const std::remove_const_t<decltype(y)> dy(gpu, y.shape(), errors);
  const auto gradient = tg::eval(g(x, dy));
  if (gradient.shape() != x.shape())
    throw error(detail::shapes_differ,
                "a gradient of shape " + detail::shape_text(gradient.shape().extents.data(), Rank) + " for an array of shape " +
                    detail::shape_text(x.shape().extents.data(), Rank),
                "return how an error at the result goes back to each element of x", where);
  const auto found = gradient.to_host();

  std::vector<T> host = x.to_host();
  const auto total = [&] {
    const auto values = tg::eval(f(array<T, Rank>(gpu, x.shape(), host))).to_host();
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(errors[i]) * static_cast<double>(values[i]);
    return sum;
  };
  std::vector<std::size_t> all(host.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(std::min(all.size(), static_cast<std::size_t>(std::max(how.samples, 1))));

  std::vector<double> wanted(all.size());
  double size = 0;
  const double step = how.step > 0 ? how.step : std::cbrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
  for (std::size_t k = 0; k < all.size(); ++k) {
    T& one = host[all[k]];
    const T own = one;
    const double wide = step * std::max(1.0, std::abs(static_cast<double>(own)));
    one = static_cast<T>(static_cast<double>(own) + wide);
    const double above = total(), high = static_cast<double>(one);
    one = static_cast<T>(static_cast<double>(own) - wide);
    wanted[k] = (above - total()) / (high - static_cast<double>(one));
    one = own;
    size = std::max(size, std::abs(wanted[k]));
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double own = static_cast<double>(found[all[k]]);
    const double off = std::abs(own - wanted[k]) / std::max(size, std::numeric_limits<double>::min());
    if (off <= out.worst) continue;
    out = {std::isnan(off) ? std::numeric_limits<double>::infinity() : off, static_cast<std::int64_t>(all[k]), own, wanted[k]};
  }
  return out;
}

}  // namespace tg
