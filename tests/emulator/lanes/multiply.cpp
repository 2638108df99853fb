#include <tg/emulator/lanes/multiply.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

namespace {

template <class T> std::vector<T> random(size_t count) {
  static std::mt19937 source(3);
  std::uniform_int_distribution<int> any(-1000, 1000), scale(-8, 8);
  std::vector<T> out(count);
  for (T& v : out) v = std::ldexp(static_cast<T>(any(source)), scale(source));
  return out;
}

}  // namespace

TEST_CASE("dense products add in ascending order of k") {
  for (const size_t m : {8u, 16u, 32u})
    for (const size_t n : {8u, 24u, 256u})
      for (const size_t k : {1u, 4u, 17u}) {
        const auto a = random<float>(m * k), b = random<float>(k * n);
        auto sums = random<float>(m * n), wanted = sums;
        for (size_t i = 0; i < m; ++i)
          for (size_t j = 0; j < n; ++j)
            for (size_t x = 0; x < k; ++x) wanted[i * n + j] = std::fma(a[i * k + x], b[x * n + j], wanted[i * n + j]);
        multiply_f32(sums.data(), a.data(), b.data(), m, n, k);
        CHECK(sums == wanted);
        const auto c = random<double>(m * k), d = random<double>(k * n);
        auto totals = random<double>(m * n), exact = totals;
        for (size_t i = 0; i < m; ++i)
          for (size_t j = 0; j < n; ++j)
            for (size_t x = 0; x < k; ++x) exact[i * n + j] = std::fma(c[i * k + x], d[x * n + j], exact[i * n + j]);
        multiply_f64(totals.data(), c.data(), d.data(), m, n, k);
        CHECK(totals == exact);
      }
}
