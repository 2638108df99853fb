#include <kernels/cholesky.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> constexpr double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;

/// Symmetric matrices G G^T + I below each other, with poison above their diagonals.
template <class T> std::vector<T> positive(inputs::generator& random, unsigned n, unsigned batch) {
  std::vector<T> out(std::size_t{batch} * n * n, inputs::poison<T>());
  for (unsigned b = 0; b < batch; ++b) {
    const auto g = random.floats(std::size_t{n} * n);
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j <= i; ++j) {
        double sum = i == j;
        for (unsigned k = 0; k < n; ++k) sum += double{g[i * n + k]} * g[j * n + k];
        out[(std::size_t{b} * n + i) * n + j] = T(sum);
      }
  }
  return out;
}

template <class T, int Most> struct result {
  std::vector<T> l;
  std::vector<unsigned> info;

  result(const std::vector<T>& a, unsigned n, unsigned batch) {
    tg::device gpu;
    inputs::rows<T> own(gpu, a, std::size_t{batch} * n, n, n + 1);
    auto failed = gpu.upload(std::vector<unsigned>(batch, inputs::poison<unsigned>()));
    gpu.launch(cholesky<T, Most>, tg::grid(batch), own.matrix(), failed, n);
    l = own.to_host();
    info = failed.to_host();
  }
};

template <class T, int Most> void check(std::initializer_list<unsigned> sizes) {
  inputs::generator random;
  for (const unsigned n : sizes) {
    constexpr unsigned batch = 3;
    INFO("seed ", random.seed, ", n ", n);
    const auto a = positive<T>(random, n, batch);
    const result<T, Most> found(a, n, batch);
    double worst = 0;
    std::size_t above = 0;
    for (unsigned b = 0; b < batch; ++b) {
      CHECK(found.info[b] == 0);
      const T *l = &found.l[std::size_t{b} * n * n], *before = &a[std::size_t{b} * n * n];
      for (unsigned i = 0; i < n; ++i) {
        for (unsigned j = i + 1; j < n; ++j) above += !inputs::is_poison(l[i * n + j]);
        for (unsigned j = 0; j <= i; ++j) {
          double sum = 0, size = 0;
          for (unsigned k = 0; k <= j; ++k) {
            const double term = double(l[i * n + k]) * double(l[j * n + k]);
            sum += term, size += std::abs(term);
          }
          // One rounding for each column before, one for the root or the division, and twice that where the judge rounds too.
          const double bound = (j + 3) * unit<T> * size * (sizeof(T) == 8 ? 2 : 1),
                       off = std::abs(sum - double(before[i * n + j]));
          if (!(off / bound <= worst)) worst = off / bound;
        }
      }
    }
    CHECK(above == 0);
    CHECK(worst <= 1);
  }
}

}  // namespace

TEST_CASE("L L^T is A; the upper triangle stays") {
  check<float, 32>({1, 2, 7, 31, 32});
  check<float, 64>({1, 31, 33, 63, 64});
  check<double, 32>({1, 13, 32});
  check<double, 64>({3, 37, 64});
}

TEST_CASE("a matrix that is not positive definite says its first column; its neighbours are right") {
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr unsigned n = 40, batch = 6;
  auto a = positive<float>(random, n, batch);
  const auto right = result<float, 64>(a, n, batch);
  const auto diagonal = [&](unsigned b, unsigned j) -> float& { return a[(std::size_t{b} * n + j) * n + j]; };
  diagonal(0, 0) = 0;
  diagonal(1, 17) = -1;
  diagonal(2, 39) = -5;
  diagonal(3, 33) = std::numeric_limits<float>::quiet_NaN();
  a[(std::size_t{4} * n + 6) * n + 5] = 1e6f;  // makes the pivot of column 6 negative
  const auto found = result<float, 64>(a, n, batch);
  CHECK((found.info == std::vector<unsigned>{1, 18, 40, 34, 7, 0}));
  std::size_t different = 0;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j <= i; ++j) {
      different += found.l[(5 * n + i) * n + j] != right.l[(5 * n + i) * n + j];
      if (j < 17) different += found.l[(n + i) * n + j] != right.l[(n + i) * n + j];
    }
  CHECK(different == 0);
}
