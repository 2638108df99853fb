// Products of matrices and vectors.
#pragma once

#include <kernels/gemv.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// alpha A x + beta y with what rounding may add up to. `a(r, c)`: an element; `steps`: additions of one sum.
template <class Element, class T>
expectation vector_product(unsigned rows, unsigned columns, Element a, const std::vector<T>& x, const std::vector<T>& y,
                           double alpha, double beta, double steps) {
  const double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24, own_unit = sizeof(T) == 2 ? 0x1p-8 : unit;
  std::vector<double> wanted(rows), bound(rows);
  for (unsigned r = 0; r < rows; ++r) {
    double sum = 0, size = 0;
    for (unsigned c = 0; c < columns; ++c) {
      const double term = double(a(r, c)) * double(x[c]);
      sum += term, size += std::abs(term);
    }
    const double old = beta * double(y[r]);
    wanted[r] = alpha * sum + old;
    bound[r] = unit * ((steps + 1) * std::abs(alpha) * size + 2 * std::abs(old)) + 1.01 * own_unit * std::abs(wanted[r]);
    if (sizeof(T) == 8) bound[r] += unit * (columns + 2) * (std::abs(alpha) * size + std::abs(old));  // the judge's own
  }
  return {wanted, bound};
}

template <class T>
inline constexpr auto try_gemv = [](auto& t, const shape& s) {
  constexpr unsigned step = tg::kernels::gemv_step<T>;
  const auto a = t.template floats<T>(std::size_t{s.m} * s.n), x = t.template floats<T>(s.n), y = t.template floats<T>(s.m);
  const auto element = [&](unsigned r, unsigned c) { return a[std::size_t{r} * s.n + c]; };
  const auto after = vector_product(s.m, s.n, element, x, y, 1.5, -0.5, (s.n / (32 * step) + 1) * step + 6);
  auto own = t.template out<T>(after, 1, s.m);
  std::copy(y.begin(), y.end(), own.before.begin());
  using sum = tg::kernels::gemv_sum<T>;
  t.launch(tg::kernels::gemv_grid(s.m), t.in(a, s.m, s.n, step), t.in(x, 1, s.n, step), own, sum(1.5), sum(-0.5), s.m, s.n);
};

template <class T>
inline constexpr auto try_gemv_transposed = [](auto& t, const shape& s) {
  constexpr unsigned step = tg::kernels::gemv_step<T>, parts = 3;
  const auto a = t.template floats<T>(std::size_t{s.m} * s.n), x = t.template floats<T>(s.m), y = t.template floats<T>(s.n);
  const auto element = [&](unsigned r, unsigned c) { return a[std::size_t{c} * s.n + r]; };
  const auto after = vector_product(s.n, s.m, element, x, y, 1.5, -0.5, s.m / (parts * 16) + 2 + 2 + 8 + parts);
  auto own = t.template out<T>(after, 1, s.n);
  std::copy(y.begin(), y.end(), own.before.begin());
  using sum = tg::kernels::gemv_sum<T>;
  const auto any = [](std::size_t) { return std::numeric_limits<double>::infinity(); };
  const std::vector<unsigned> tickets(tg::kernels::gemv_tickets<T>(s.n));
  t.launch(tg::kernels::gemv_transposed_grid<T>(s.n, parts), t.in(a, s.m, s.n, step), t.in(x, 1, s.m), own,
           t.template out<sum>(within(std::vector<double>(std::size_t{parts} * s.n), any), parts, s.n),
           t.in_out(tickets, exactly(tickets)), sum(1.5), sum(-0.5), s.m, s.n);
};

}  // namespace detail

inline constexpr row gemv{tg::kernels::gemv<float>,
                          {.family = "linear algebra", .other = {"gemv.cu", "gemv"}, .large = {1024, 1024}},
                          matrices(8, 128),
                          detail::try_gemv<float>};
inline constexpr row gemv_of_halves{
    tg::kernels::gemv<tg::bf16>,
    {.family = "linear algebra", .least_sm = 80, .other = {"gemv.cu", "gemv_of_halves"}, .large = {1024, 1024}},
    matrices(8, 256),
    detail::try_gemv<tg::bf16>};
inline constexpr row gemv_transposed{
    tg::kernels::gemv_transposed<float>,
    {.family = "linear algebra", .other = {"gemv.cu", "gemv_transposed"}, .large = {1024, 1024}},
    matrices(32, 32),
    detail::try_gemv_transposed<float>};

template <class Ask> void each_of_linear_algebra(Ask ask) {
  ask(gemv);
  ask(gemv_of_halves);
  ask(gemv_transposed);
}

}  // namespace registry
