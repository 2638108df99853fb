#include <kernels/rms_swiglu.hpp>

#include <kernels/reference/norms.hpp>

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
  const auto wanted =
      tg::kernels::reference::rms_swiglu<T>(m, n, k, x, [&](unsigned d) { return gamma(0, d); }, gate, up, double(epsilon));
  for (unsigned i = 0; i < m * n; ++i) excess(y(i / n, i % n), wanted.value[i], wanted.bound[i]);
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
