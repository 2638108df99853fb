#include <kernels/triangular_solve.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> constexpr double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;

template <class T, triangular_options Options, int Most> void check(std::initializer_list<unsigned> sizes) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes)
    for (const unsigned columns : {1u, 31u, 33u, 64u}) {
      constexpr unsigned batch = 2;
      INFO("seed ", random.seed, ", n ", n, ", columns ", columns);
      std::vector<T> a(std::size_t{batch} * n * n, inputs::poison<T>()), right(std::size_t{batch} * n * columns);
      const auto is_read = [&](unsigned i, unsigned j) { return i == j ? !Options.unit_diagonal : (j > i) == Options.upper; };
      for (unsigned r = 0; r < batch * n; ++r)
        for (unsigned j = 0; j < n; ++j)
          if (is_read(r % n, j)) a[r * n + j] = T(r % n == j ? random.between(1, 2) : random.between(-1, 1) / 8);
      for (T& b : right) b = T(random.between(-1, 1));
      inputs::rows<T> on_a(gpu, a, std::size_t{batch} * n, n, n + 3),
          x(gpu, right, std::size_t{batch} * n, columns, columns + 1);
      gpu.launch(triangular_solve<T, Options, Most>, triangular_solve_grid(columns, batch), on_a.matrix(), x.matrix(), n,
                 columns);
      const auto found = x.to_host();
      double worst = 0;
      for (unsigned r = 0; r < batch * n; ++r)
        for (unsigned c = 0; c < columns; ++c) {
          const unsigned first = r / n * n, i = r % n;
          double sum = 0, size = 0;
          for (unsigned k = 0; k < n; ++k) {
            const unsigned row = Options.transposed ? k : i, column = Options.transposed ? i : k;
            if (row != column && !is_read(row, column)) continue;
            const double own = row == column && Options.unit_diagonal ? 1 : double(a[(first + row) * n + column]);
            const double term = own * double(found[(first + k) * columns + c]);
            sum += term, size += std::abs(term);
          }
          const double bound = (n + 1) * unit<T> * size * (sizeof(T) == 8 ? 2 : 1);
          const double off = std::abs(sum - double(right[r * columns + c]));
          if (!(off <= bound * worst)) worst = off / bound;
        }
      CHECK(worst <= 1);
    }
}

}  // namespace

TEST_CASE("lower and upper, transposed or not, with a diagonal of ones or another") {
  check<float, triangular_options{}, 32>({1, 7, 31, 32});
  check<float, triangular_options{.upper = true}, 32>({1, 13, 32});
  check<float, triangular_options{.transposed = true}, 32>({2, 31});
  check<float, triangular_options{.upper = true, .transposed = true}, 64>({33, 64});
  check<float, triangular_options{.unit_diagonal = true}, 64>({1, 63});
  check<double, triangular_options{.upper = true, .unit_diagonal = true}, 32>({17});
  check<double, triangular_options{.transposed = true}, 64>({40, 64});
}
