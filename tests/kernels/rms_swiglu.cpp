#include <kernels/rms_swiglu.hpp>

#include "../random_seed.hpp"
#include "../tile/tiles.hpp"

namespace {

template <class T, int Sm = 80> void check_rms_swiglu(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const tiles::matrix<T> x(m, k, random), gate(k, n, random), up(k, n, random);
  const tiles::matrix<float> gamma(1, k, random, 1);
  tiles::on_device<T> dx(gpu, x), d_gate(gpu, gate), d_up(gpu, up), dy(gpu, tiles::matrix<T>(m, n));
  tiles::on_device<float> d_gamma(gpu, gamma);
  const float epsilon = 1e-5f;
  gpu.launch(tg::kernels::rms_swiglu<T, Sm>, tg::kernels::rms_swiglu_grid(m, n), dx.argument(), d_gamma.memory,
             d_gate.argument(), d_up.argument(), dy.argument(), m, n, k, epsilon);
  const tiles::matrix<T> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r) {
    double squares = 0;
    for (unsigned d = 0; d < k; ++d) squares += x(r, d) * x(r, d) / k;
    const double scale = 1 / std::sqrt(squares + double(epsilon));
    for (unsigned j = 0; j < n; ++j) {
      double sums[2] = {}, sizes[2] = {};
      for (unsigned d = 0; d < k; ++d)
        for (int w = 0; w < 2; ++w) {
          const double left = x(r, d) * gamma(0, d), factor = scale * (w == 0 ? gate : up)(d, j);
          sums[w] += left * factor, sizes[w] += std::max(std::abs(left), tiles::smallest<T>) * std::abs(factor);
        }
      const double share = 1 / (1 + std::exp(-sums[0])), silu = sums[0] * share, wanted = silu * sums[1];
      // The operand is rounded to T; silu has a slope of at most 1.1.
      const double rounding = tiles::unit<T> + (k + 8) * 0x1p-23;
      const double bound = 1.1 * rounding * sizes[0] * std::abs(sums[1]) + std::abs(silu) * rounding * sizes[1] +
                           1.1 * rounding * rounding * sizes[0] * sizes[1];
      excess(y(r, j), wanted, tiles::rounding<T>(wanted) + 1e-5 * std::abs(wanted) + bound);
    }
  }
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("rms_swiglu of matrices of any size") {
  check_rms_swiglu<tg::bf16>(64, 64, 32);
  check_rms_swiglu<tg::bf16>(63, 65, 31);
  check_rms_swiglu<tg::f16>(1, 1, 1);
  check_rms_swiglu<tg::bf16>(67, 131, 257);
  check_rms_swiglu<tg::bf16>(128, 61, 128);
}
TEST_CASE("rms_swiglu by the warpgroups of sm_90") { check_rms_swiglu<tg::bf16, 90>(67, 131, 97); }
