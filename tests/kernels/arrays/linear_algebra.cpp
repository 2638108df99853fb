#include <kernels/arrays/linear_algebra.hpp>

#include <algorithm>
#include <cmath>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

template <class T> constexpr double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;

/// Matrices G G^T + I below each other, with poison above their diagonals.
template <class T> std::vector<T> positive(inputs::generator& random, std::size_t n, std::size_t batch) {
  std::vector<T> out(batch * n * n, inputs::poison<T>());
  for (std::size_t b = 0; b < batch; ++b) {
    const auto g = random.floats(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = i == j;
        for (std::size_t k = 0; k < n; ++k) sum += double{g[i * n + k]} * double{g[j * n + k]};
        out[(b * n + i) * n + j] = static_cast<T>(sum);
      }
  }
  return out;
}

/// The largest |sum of products - wanted| / (factor * unit * sum of magnitudes).
struct judge {
  tiles::excess excess;
  double sum = 0, size = 0;

  void add(double term) { sum += term, size += std::abs(term); }
  void end(double wanted, double factor) {
    excess(sum, wanted, factor * size);
    sum = size = 0;
  }
};

template <class T> void check_cholesky(std::int64_t n) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", n ", n);
  const auto size = static_cast<std::size_t>(n);
  const auto a = positive<T>(random, size, 6);
  const tg::array<T, 4> x(gpu, {2, 3, n, n}, a);
  const auto l = tg::cholesky(x);
  CHECK(l.shape() == x.shape());
  const auto found = l.to_host();
  judge own;
  std::size_t above = 0;
  for (std::size_t r = 0; r < 6 * size; ++r)
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t i = r % size, first = r / size * size;
      if (j > i) above += found[r * size + j] != 0;
      if (j > i) continue;
      for (std::size_t k = 0; k <= j; ++k) own.add(double(found[r * size + k]) * double(found[(first + j) * size + k]));
      own.end(double(a[r * size + j]), (double(j) + 4) * 2 * unit<T>);
    }
  CHECK(above == 0);
  CHECK(own.excess.worst <= 1);
}

template <tg::triangular_options Options, class T> void check_triangle(std::int64_t n, std::int64_t columns) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", n ", n, ", columns ", columns);
  const auto size = static_cast<std::size_t>(n), wide = static_cast<std::size_t>(columns);
  std::vector<T> a(2 * size * size, inputs::poison<T>()), right(2 * size * wide);
  const auto is_read = [&](std::size_t i, std::size_t j) { return i == j || (j > i) == Options.upper; };
  for (std::size_t r = 0; r < 2 * size; ++r)
    for (std::size_t j = 0; j < size; ++j)
      if (is_read(r % size, j))
        a[r * size + j] = static_cast<T>(r % size == j ? random.between(1, 2) : random.between(-1, 1) / 8);
  for (T& b : right) b = static_cast<T>(random.between(-1, 1));
  const auto found =
      tg::solve_triangular<Options>(tg::array<T, 3>(gpu, {2, n, n}, a), tg::array<T, 3>(gpu, {2, n, columns}, right)).to_host();
  judge own;
  for (std::size_t r = 0; r < 2 * size; ++r)
    for (std::size_t c = 0; c < wide; ++c) {
      const std::size_t first = r / size * size, i = r % size;
      for (std::size_t k = 0; k < size; ++k) {
        const std::size_t row = Options.transposed ? k : i, column = Options.transposed ? i : k;
        if (is_read(row, column)) own.add(double(a[(first + row) * size + column]) * double(found[(first + k) * wide + c]));
      }
      own.end(double(right[r * wide + c]), (double(n) + 1) * 2 * unit<T>);
    }
  CHECK(own.excess.worst <= 1);
}

/// A sparse matrix with rows of 0 to `most` elements.
struct sparse {
  std::vector<int> offsets{0};
  std::vector<unsigned> columns;
  std::vector<float> values;

  sparse(inputs::generator& random, unsigned rows, unsigned width, unsigned most) {
    for (unsigned r = 0; r < rows; ++r) {
      const unsigned count = most == 0 ? 0 : static_cast<unsigned>(random.engine() % (most + 1));
      for (unsigned k = 0; k < count; ++k) {
        columns.push_back(static_cast<unsigned>(random.engine() % width));
        values.push_back(random.between(-1, 1));
      }
      offsets.push_back(static_cast<int>(columns.size()));
    }
  }
};

void check_sparse(unsigned rows, unsigned width, unsigned most, std::int64_t n) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", rows ", rows, ", most ", most, ", n ", n);
  const sparse a(random, rows, width, most);
  const auto host = random.floats(width * static_cast<std::size_t>(n));
  const tg::array<int, 1> offsets(gpu, a.offsets);
  const tg::array<unsigned, 1> columns(gpu, a.columns);
  const tg::array<float, 1> values(gpu, a.values);
  const tg::array<float, 2> x(gpu, {width, n}, host);
  const auto y = tg::csr_matmul(offsets, columns, values, x);
  REQUIRE(y.shape() == tg::array_shape<2>(rows, n));
  const auto found = y.to_host(), first = tg::csr_matmul(offsets, columns, values, x(tg::full_extent, 0)).to_host();
  REQUIRE(first.size() == rows);
  tiles::excess excess;
  for (unsigned r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c) {
      double sum = 0, size = 0;
      for (auto i = static_cast<std::size_t>(a.offsets[r]); i < static_cast<std::size_t>(a.offsets[r + 1]); ++i) {
        const double term = double{a.values[i]} * double{host[a.columns[i] * static_cast<std::size_t>(n) + c]};
        sum += term, size += std::abs(term);
      }
      const double bound = (most + 6) * 0x1p-24 * size;
      excess(double{found[r * static_cast<std::size_t>(n) + c]}, sum, bound);
      if (c == 0) excess(double{first[r]}, sum, bound);
    }
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("L L^T of batches of small matrices") {
  for (const std::int64_t n : {1, 7, 31, 32, 33, 64}) check_cholesky<float>(n);
  check_cholesky<double>(13);
}

TEST_CASE("a matrix that is not positive definite gives NaN, and its neighbours do not") {
  tg::device gpu;
  const tg::array<float, 3> a(gpu, {3, 2, 2}, std::vector<float>{4, 0, 2, 5, 1, 0, 2, 1, 9, 0, 0, 1});
  const auto l = tg::cholesky(a).to_host();
  CHECK(std::vector<float>(l.begin(), l.begin() + 4) == std::vector<float>{2, 0, 1, 2});
  CHECK(std::vector<float>(l.begin() + 8, l.end()) == std::vector<float>{3, 0, 0, 1});
  CHECK(std::isnan(l[4]));
  CHECK(std::isnan(l[6]));
  CHECK(std::isnan(l[7]));
}

TEST_CASE("triangles, lower and upper, transposed or not") {
  for (const std::int64_t n : {1, 13, 32, 33}) check_triangle<tg::triangular_options{}, float>(n, 5);
  check_triangle<tg::triangular_options{.upper = true}, double>(31, 33);
  check_triangle<tg::triangular_options{.transposed = true}, float>(64, 1);
}

TEST_CASE("systems with a positive matrix") {
  tg::device gpu;
  const tg::array<double, 2> a(gpu, {2, 2}, std::vector<double>{4, 2, 2, 5});
  const tg::array<double, 1> b(gpu, std::vector<double>{8, 8});
  const auto x = tg::cholesky_solve(tg::cholesky(a), b).to_host();
  CHECK(std::abs(x[0] - 1.5) < 1e-14);
  CHECK(std::abs(x[1] - 1.0) < 1e-14);
}

TEST_CASE("sparse matrices times vectors and matrices") {
  check_sparse(1, 1, 1, 1);
  check_sparse(257, 61, 3, 4);
  check_sparse(101, 300, 13, 7);
  check_sparse(37, 1009, 100, 131);
  check_sparse(5, 3, 0, 2);
}

TEST_CASE("no matrices give none; shapes that do not fit are refused") {
  tg::device gpu;
  const tg::array<float, 3> none(gpu, {0, 3, 3});
  CHECK(tg::cholesky(none).size() == 0);
  CHECK(tg::solve_triangular(none, none).size() == 0);
  const auto zeros = [&](std::int64_t rows, std::int64_t columns) {
    return tg::array<float, 2>(gpu, {rows, columns}, std::vector<float>(static_cast<std::size_t>(rows * columns)));
  };
  const auto flat = zeros(3, 4), large = zeros(65, 65), four = zeros(4, 4), three = zeros(3, 2);
  CHECK(code_of_error([&] { tg::cholesky(flat); }) == 705);
  CHECK(code_of_error([&] { tg::cholesky(large); }) == 705);
  CHECK(code_of_error([&] { tg::solve_triangular(four, three); }) == 700);
  CHECK(code_of_error([&] { tg::solve_triangular(flat, three); }) == 705);
  const tg::array<int, 1> offsets(gpu, std::vector<int>{0, 1}), two(gpu, std::vector<int>{0, 1}), empty(gpu, {0});
  const tg::array<float, 1> value(gpu, std::vector<float>{1});
  CHECK(code_of_error([&] { tg::csr_matmul(offsets, two, value, value); }) == 700);
  CHECK(code_of_error([&] { tg::csr_matmul(empty, two, tg::array<float, 1>(gpu, {2}), value); }) == 705);
}
