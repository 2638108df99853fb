// Random numbers for arrays: functions of a seed and of an element's place, the same for any layout and any division among
// threads.
#pragma once

#include <cstdint>

#include <tg/array/axes.hpp>
#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/log.hpp>
#include <tg/dsl/math/philox.hpp>
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

namespace detail {

/// The number of each element in the order of indices.
template <int Axes, class X> auto place_in(const X& x) {
  if constexpr (Axes == 0) return array_scalar<std::int64_t>(0);
  else if constexpr (Axes == 1) return tg::cast<std::int64_t>(tg::index_of<0>(x));
  else return place_in<Axes - 1>(x) * x.shape()[Axes - 1] + tg::cast<std::int64_t>(tg::index_of<Axes - 1>(x));
}

/// The words of a place and a seed, of 64 bits each.
template <class P, class S> philox_words words_of_place(const P& place, const S& seed) {
  const auto halves = [](const auto& n) { return std::pair(tg::cast<unsigned>(n), tg::cast<unsigned>(n >> 32)); };
  const auto [low, high] = halves(place);
  const auto [key, second_key] = halves(seed);
  return tg::philox(low, high, 0u, 0u, key, second_key);
}

/// 24 bits in [0, 1).
template <class W> auto to_uniform(const W& word) { return tg::cast<float>(word >> 8u) * 0x1p-24f; }

namespace held {

struct random_word {
  template <class P, class S> auto operator()(const P& place, const S& seed) const { return words_of_place(place, seed).x; }
};
struct random_uniform {
  template <class P, class S> auto operator()(const P& place, const S& seed) const {
    return to_uniform(words_of_place(place, seed).x);
  }
};
/// Box and Muller's pair, of which one is taken.
struct random_normal {
  template <class P, class S> auto operator()(const P& place, const S& seed) const {
    const philox_words words = words_of_place(place, seed);
    const auto radius = tg::approx::sqrt(tg::log(1.0f - to_uniform(words.x)) * -2.0f);
    return radius * tg::approx::cos(to_uniform(words.y) * 6.2831853f);
  }
};

}  // namespace held

template <class F, class X> auto random_of(const X& x, std::uint64_t seed) {
  using found = memory_check<X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return tg::map(F{}, place_in<X::rank>(x), static_cast<std::int64_t>(seed));
  else return x.node();
}

}  // namespace detail

/// 32 random bits for each element of an array's shape, unsigned; nothing of x is read. The seed is an argument of the kernel.
/// Errors: TG707, TG723. Source: Philox 4x32-10, see tg/dsl/math/philox.hpp.
template <array_like X> auto random_bits(const X& x, std::uint64_t seed) {
  return detail::random_of<detail::random_word>(x, seed);
}
/// Evenly distributed floats in [0, 1), multiples of 2^-24: `y = tg::where(tg::uniform(y, seed) < 0.1f, 0.0f, y)`.
/// Errors: TG707, TG723.
template <array_like X> auto uniform(const X& x, std::uint64_t seed) {
  return detail::random_of<detail::random_uniform>(x, seed);
}
/// Normally distributed floats of mean 0 and variance 1, by Box and Muller. Units: off by the error of
/// `tg::approx::cos` times a radius of at most 5.8. Errors: TG707, TG723.
template <array_like X> auto normal(const X& x, std::uint64_t seed) {
  return detail::random_of<detail::random_normal>(x, seed);
}

}  // namespace tg
