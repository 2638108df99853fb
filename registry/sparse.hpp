// Products of sparse matrices.
#pragma once

#include <kernels/sparse.hpp>
#include <registry/row.hpp>
#include <registry/segments.hpp>

namespace registry {

namespace detail {

/// A matrix in CSR with as many columns as rows.
template <class Trial> struct sparse_matrix {
  std::vector<unsigned> from, columns;
  std::vector<float> values;

  sparse_matrix(Trial& t, unsigned rows) : from(offsets(t, rows)) {
    columns = t.template integers<unsigned>(from.back() + 1, 0, rows - 1);
    values = t.floats(from.back() + 1);
  }
  /// 1.5 A B - 0.5 C for dense matrices of n columns; `steps(length)`: additions along a row.
  template <class Steps>
  expectation product(const std::vector<float>& b, const std::vector<float>& c, unsigned n, Steps steps) const {
    std::vector<double> wanted(c.size()), bound(c.size());
    for (std::size_t at = 0; at < c.size(); ++at) {
      const std::size_t r = at / n, j = at % n;
      double sum = 0, size = 0;
      for (unsigned i = from[r]; i < from[r + 1]; ++i) {
        const double term = double{values[i]} * b[columns[i] * std::size_t{n} + j];
        sum += term, size += std::abs(term);
      }
      wanted[at] = 1.5 * sum - 0.5 * c[at];
      bound[at] = (steps(from[r + 1] - from[r]) + 3) * 0x1p-24 * (1.5 * size + 0.5 * std::abs(c[at]));
    }
    return {wanted, bound};
  }
};

inline constexpr auto try_csr_matvec = [](auto& t, const shape& s) {
  const sparse_matrix a(t, s.n);
  const auto x = t.floats(s.n), y = t.floats(s.n);
  auto after = a.product(x, y, 1, [](unsigned length) { return length / 8 + 1 + 3; });
  t.launch(tg::kernels::csr_grid(s.n), t.in(a.from), t.in(a.columns), t.in(a.values), t.in(x), t.in_out(y, std::move(after)),
           1.5f, -0.5f, s.n);
};
inline constexpr auto try_ell_matvec = [](auto& t, const shape& s) {
  const sparse_matrix a(t, s.n);
  const auto x = t.floats(s.n), y = t.floats(s.n);
  unsigned width = 1;
  for (unsigned r = 0; r < s.n; ++r) width = std::max(width, a.from[r + 1] - a.from[r]);
  std::vector<unsigned> columns(std::size_t{width} * s.n, tg::kernels::ell_none);
  std::vector<float> values(columns.size());
  for (unsigned r = 0; r < s.n; ++r)
    for (unsigned k = 0; k < a.from[r + 1] - a.from[r]; ++k) {
      columns[std::size_t{k} * s.n + r] = a.columns[a.from[r] + k];
      values[std::size_t{k} * s.n + r] = a.values[a.from[r] + k];
    }
  auto after = a.product(x, y, 1, [](unsigned length) { return length; });
  t.launch(tg::cover(s.n), t.in(columns, width, s.n), t.in(values, width, s.n), t.in(x), t.in_out(y, std::move(after)), 1.5f,
           -0.5f, s.n, width);
};
inline constexpr auto try_csr_matmat = [](auto& t, const shape& s) {
  const sparse_matrix a(t, s.m);
  const auto b = t.floats(std::size_t{s.m} * s.n), c = t.floats(b.size());
  auto own = t.in(c, s.m, s.n, 4);
  own.after = a.product(b, c, s.n, [](unsigned length) { return length; });
  t.launch(tg::kernels::csr_matmat_grid<float>(s.m, s.n), t.in(a.from), t.in(a.columns), t.in(a.values), t.in(b, s.m, s.n, 4),
           own, 1.5f, -0.5f, s.m, s.n);
};

}  // namespace detail

inline constexpr row csr_matvec{tg::kernels::csr_matvec<float>,
                                {.family = "sparse", .other = {"sparse.cu", "csr_matvec"}, .large = {1, 1u << 14}},
                                [] { return std::vector<shape>{{1, 1}, {1, 31}, {1, 32}, {1, 33}, {1, 1009}}; },
                                detail::try_csr_matvec};
inline constexpr row ell_matvec{tg::kernels::ell_matvec<float>,
                                {.family = "sparse", .other = {"sparse.cu", "ell_matvec"}, .large = {1, 1u << 12}},
                                [] { return std::vector<shape>{{1, 1}, {1, 255}, {1, 256}, {1, 257}}; },
                                detail::try_ell_matvec};
inline constexpr row csr_matmat{tg::kernels::csr_matmat<float>,
                                {.family = "sparse", .other = {"sparse.cu", "csr_matmat"}, .large = {512, 256}},
                                matrices(8, 128),
                                detail::try_csr_matmat};

template <class Ask> void each_sparse(Ask ask) {
  ask(csr_matvec);
  ask(ell_matvec);
  ask(csr_matmat);
}

}  // namespace registry
