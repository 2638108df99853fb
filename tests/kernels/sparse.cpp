#include <kernels/sparse.hpp>

#include <algorithm>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> constexpr double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;

/// A matrix in CSR: rows of 0 to `longest` elements, a few of them ten times longer, columns in any order and twice too.
template <class T> struct csr {
  std::vector<unsigned> offsets{0}, columns;
  std::vector<T> values;
  unsigned width = 0;  // the most elements of a row

  csr(inputs::generator& random, unsigned rows, unsigned all_columns, unsigned longest) {
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned most = random.engine() % 16 == 0 ? 10 * longest : longest, count = random.engine() % (most + 1);
      offsets.push_back(offsets.back() + count);
      width = std::max(width, count);
    }
    for (unsigned i = 0; i < offsets.back(); ++i) {
      columns.push_back(random.engine() % all_columns);
      values.push_back(T(random.between(-1, 1)));
    }
  }
  unsigned rows() const { return static_cast<unsigned>(offsets.size() - 1); }
  unsigned length(std::size_t row) const { return offsets[row + 1] - offsets[row]; }

  /// alpha A B + beta C, with C in `found` compared; `steps(length)`: additions along a row.
  template <class Steps>
  void check(const std::vector<T>& b, unsigned n, T alpha, T beta, const std::vector<T>& old, const std::vector<T>& found,
             Steps steps) const {
    std::vector<double> wanted(found.size()), allowed(found.size());
    for (unsigned r = 0; r < rows(); ++r)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (unsigned i = offsets[r]; i < offsets[r + 1]; ++i) {
          const double term = double(values[i]) * double(b[std::size_t{columns[i]} * n + j]);
          sum += term, size += std::abs(term);
        }
        const std::size_t at = std::size_t{r} * n + j;
        const double before = beta == 0 ? 0 : double(beta) * double(old[at]);
        wanted[at] = double(alpha) * sum + before;
        allowed[at] = unit<T> * (steps(length(r)) + 3) * (std::abs(double(alpha)) * size + std::abs(before));
        if (sizeof(T) == 8) allowed[at] += unit<T> * (length(r) + 3) * (std::abs(double(alpha)) * size + std::abs(before));
      }
    CHECK(inputs::largest_excess<T>(found, wanted, [&](std::size_t i) { return allowed[i]; }) <= 0);
  }
};

template <class T> std::vector<T> numbers(inputs::generator& random, std::size_t count) {
  std::vector<T> out;
  for (const float x : random.floats(count)) out.push_back(T(x));
  return out;
}
/// What a buffer can hold: at least one element.
template <class T> std::vector<T> at_least_one(std::vector<T> x) {
  if (x.empty()) x.push_back({});
  return x;
}

template <class T, unsigned Lanes> void check_matvec(unsigned longest) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned rows : {1u, csr_rows<Lanes> - 1, csr_rows<Lanes>, csr_rows<Lanes> + 1, 301u}) {
    INFO("seed ", random.seed, ", rows ", rows, ", lanes ", Lanes);
    const csr<T> a(random, rows, 97, longest);
    const auto x = numbers<T>(random, 97);
    const T alpha = T(1.25), beta = T(rows % 2 == 0 ? 0 : -0.75);
    const auto old = beta == 0 ? std::vector<T>(rows, inputs::poison<T>()) : numbers<T>(random, rows);
    auto y = gpu.upload(old), on_x = gpu.upload(x), values = gpu.upload(at_least_one(a.values));
    auto offsets = gpu.upload(a.offsets), columns = gpu.upload(at_least_one(a.columns));
    gpu.launch(csr_matvec<T, Lanes>, csr_grid<Lanes>(rows), offsets, columns, values, on_x, y, alpha, beta, rows);
    a.check(x, 1, alpha, beta, old, y.to_host(), [](unsigned length) { return length / Lanes + 1 + 5; });
  }
}

template <class T> void check_ell(unsigned longest) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned rows : {1u, 255u, 256u, 257u, 512u}) {
    INFO("seed ", random.seed, ", rows ", rows);
    const csr<T> a(random, rows, 97, longest);
    const auto x = numbers<T>(random, 97);
    const T alpha = T(-2), beta = T(rows % 2 == 0 ? 0.5 : 0);
    const auto old = beta == 0 ? std::vector<T>(rows, inputs::poison<T>()) : numbers<T>(random, rows);
    const unsigned height = std::max(a.width, 1u);
    std::vector<unsigned> columns(std::size_t{height} * rows, ell_none);
    std::vector<T> values(columns.size(), inputs::poison<T>());
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned k = 0; k < a.length(r); ++k) {
        columns[std::size_t{k} * rows + r] = a.columns[a.offsets[r] + k];
        values[std::size_t{k} * rows + r] = a.values[a.offsets[r] + k];
      }
    inputs::rows<unsigned> on_columns(gpu, columns, height, rows, rows + 5);
    inputs::rows<T> on_values(gpu, values, height, rows, rows + 3);
    auto y = gpu.upload(old), on_x = gpu.upload(x);
    gpu.launch(ell_matvec<T>, tg::cover(rows), on_columns.matrix(), on_values.matrix(), on_x, y, alpha, beta, rows, a.width);
    a.check(x, 1, alpha, beta, old, y.to_host(), [](unsigned length) { return length; });
  }
}

template <class T> void check_matmat(unsigned longest) {
  tg::device gpu;
  inputs::generator random;
  constexpr unsigned width = csr_matmat_columns<T>, step = 16 / sizeof(T);
  for (const unsigned rows : {1u, 8u, 9u})
    for (const unsigned n : {1u, 31u, 33u, width - 1, width, width + 1, 2 * width}) {
      INFO("seed ", random.seed, ", rows ", rows, ", n ", n);
      const csr<T> a(random, rows, 13, longest);
      const auto b = numbers<T>(random, std::size_t{13} * n);
      const T alpha = T(0.5), beta = T(n % 2 == 0 ? 0 : 3);
      const auto old =
          beta == 0 ? std::vector<T>(std::size_t{rows} * n, inputs::poison<T>()) : numbers<T>(random, std::size_t{rows} * n);
      const unsigned leading = (n + step - 1) / step * step + step;
      inputs::rows<T> on_b(gpu, b, 13, n, leading), c(gpu, old, rows, n, leading);
      auto values = gpu.upload(at_least_one(a.values));
      auto offsets = gpu.upload(a.offsets), columns = gpu.upload(at_least_one(a.columns));
      gpu.launch(csr_matmat<T>, csr_matmat_grid<T>(rows, n), offsets, columns, values, on_b.matrix(), c.matrix(), alpha, beta,
                 rows, n);
      a.check(b, n, alpha, beta, old, c.to_host(), [](unsigned length) { return length; });
    }
}

}  // namespace

TEST_CASE("a matrix in CSR times a vector, by one lane to a warp for each row") {
  check_matvec<float, 1>(3);
  check_matvec<float, 8>(9);
  check_matvec<float, 32>(70);
  check_matvec<double, 4>(17);
}

TEST_CASE("a matrix in ELL times a vector; what is behind the end of a row is not read") {
  check_ell<float>(5);
  check_ell<double>(11);
}

TEST_CASE("a matrix in CSR times a dense matrix") {
  check_matmat<float>(20);
  check_matmat<double>(40);
}
