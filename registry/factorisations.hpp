// Factorisations of small matrices, and systems with their factors. Operands are integers for which every step is exact.
#pragma once

#include <kernels/cholesky.hpp>
#include <kernels/triangular_solve.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// Lower triangles of m matrices of n rows with small integers, 1, 2 or 4 on the diagonal, zeros above it.
template <class T, class Trial> std::vector<T> lower_triangles(Trial& t, unsigned m, unsigned n) {
  std::vector<T> out(std::size_t{m} * n * n);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::size_t i = at / n % n, j = at % n;
    const unsigned own = t.engine()();
    if (i == j) out[at] = T(1u << own % 3);
    else if (j < i) out[at] = T(own % 5) - T(2);
  }
  return out;
}

/// m matrices of n rows.
template <class T>
inline constexpr auto try_cholesky = [](auto& t, const shape& s) {
  const auto l = lower_triangles<T>(t, s.m, s.n);
  std::vector<T> a(l.size());
  std::vector<double> after(l.size());
  for (std::size_t at = 0; at < a.size(); ++at) {
    const std::size_t i = at / s.n % s.n, j = at % s.n, first = at / s.n / s.n * s.n * s.n;
    for (std::size_t k = 0; k <= std::min(i, j); ++k) a[at] += l[first + i * s.n + k] * l[first + j * s.n + k];
    after[at] = double(j <= i ? l[at] : a[at]);
  }
  auto own = t.in(a, s.m * s.n, s.n);
  own.after = exactly(after);
  t.launch(tg::grid(s.m), own, t.template out<unsigned>(exactly(std::vector<unsigned>(s.m))), s.n);
};

/// m matrices of n rows with k right-hand sides.
template <class T>
inline constexpr auto try_triangular_solve = [](auto& t, const shape& s) {
  const auto l = lower_triangles<T>(t, s.m, s.n);
  const auto x = t.template integers<int>(std::size_t{s.m} * s.n * s.k, -8, 8);
  std::vector<T> b(x.size());
  for (std::size_t r = 0; r < std::size_t{s.m} * s.n; ++r)
    for (std::size_t c = 0; c < s.k; ++c)
      for (std::size_t k = 0; k < s.n; ++k) b[r * s.k + c] += l[r * s.n + k] * T(x[(r / s.n * s.n + k) * s.k + c]);
  auto own = t.in(b, s.m * s.n, s.k);
  own.after = exactly(x);
  t.launch(tg::kernels::triangular_solve_grid(s.k, s.m), t.in(l, s.m * s.n, s.n), own, s.n, s.k);
};

constexpr auto small_systems(unsigned most) {
  return [most] {
    return std::vector<shape>{{1, 1, 1}, {3, 7, 2}, {2, most - 1, 31}, {2, most, 32}, {1, 29, 33}, {2, most / 2 + 1, 67}};
  };
}

}  // namespace detail

inline constexpr row cholesky{tg::kernels::cholesky<float>,
                              {.family = "factorisations", .other = {"factorisations.cu", "cholesky"}, .large = {512, 32}},
                              detail::small_systems(32),
                              detail::try_cholesky<float>};
inline constexpr row cholesky_of_doubles{
    tg::kernels::cholesky<double, 64>,
    {.family = "factorisations", .other = {"factorisations.cu", "cholesky_of_doubles"}, .large = {64, 64}},
    detail::small_systems(64),
    detail::try_cholesky<double>};
inline constexpr row triangular_solve{
    tg::kernels::triangular_solve<float>,
    {.family = "factorisations", .other = {"factorisations.cu", "triangular_solve"}, .large = {256, 32, 64}},
    detail::small_systems(32),
    detail::try_triangular_solve<float>};

template <class Ask> void each_factorisation(Ask ask) {
  ask(cholesky);
  ask(cholesky_of_doubles);
  ask(triangular_solve);
}

}  // namespace registry
