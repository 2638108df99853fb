#include <kernels/gemm.hpp>

#include "../tile/tiles.hpp"

namespace {

template <class T, int Sm = 80> void check_gemm() {
  constexpr auto plain = tg::kernels::gemm<T>([](const auto& sum, const auto&) { return sum; }, tg::for_sm<Sm>);
  constexpr auto fused = tg::kernels::gemm<T, tg::in<float>, tg::in2<T, tg::multiple_of<8>>, tg::scalar<float>>(
      [](const auto& sum, const auto& at, auto bias, auto residual, auto beta) {
        return tg::max(sum + at.of_columns(bias), 0.0f) + beta * tg::cast<float>(at.of_elements(residual));
      },
      tg::for_sm<Sm>);
  tg::device gpu;
  std::mt19937 random(23);
  for (const auto& size : {std::array{128u, 128u, 32u},
                           {127u, 129u, 31u},
                           {1u, 1u, 1u},
                           {129u, 127u, 65u},
                           {256u, 136u, 257u},
                           {131u, 263u, 97u}}) {
    const unsigned m = size[0];
    const unsigned n = size[1];
    const unsigned k = size[2];

    const tiles::matrix<T> a(m, k, random), b(k, n, random), residual(m, n, random);
    const tiles::matrix<float> bias(1, n, random, 1);
    tiles::on_device<T> da(gpu, a), db(gpu, b), dc(gpu, tiles::matrix<T>(m, n)), df(gpu, tiles::matrix<T>(m, n)),
        dr(gpu, residual);
    tiles::on_device<float> dbias(gpu, bias);
    const auto grid = tg::kernels::gemm_grid(plain, m, n);
    gpu.launch(plain, grid, da.argument(), db.argument(), dc.argument(), m, n, k);
    gpu.launch(fused, grid, da.argument(), db.argument(), df.argument(), m, n, k, dbias.memory, dr.argument(), 0.5f);
    const tiles::matrix<T> c = dc.read(), f = df.read();
    tiles::excess excess;
    for (unsigned r = 0; r < m; ++r)
      for (unsigned j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (unsigned d = 0; d < k; ++d) sum += a(r, d) * b(d, j), size += std::abs(a(r, d) * b(d, j));
        const double wanted = std::max(sum + bias(0, j), 0.0) + 0.5 * residual(r, j);
        excess(c(r, j), sum, tiles::rounding<T>(sum) + (k + 2) * 0x1p-23 * size);
        excess(f(r, j), wanted,
               tiles::rounding<T>(wanted) + (k + 4) * 0x1p-23 * (size + std::abs(bias(0, j)) + std::abs(residual(r, j))));
      }
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CHECK(excess.worst <= 1);
  }
}

}  // namespace

TEST_CASE("gemm of bf16, plain and with bias, activation and residual") { check_gemm<tg::bf16>(); }
TEST_CASE("gemm of f16") { check_gemm<tg::f16>(); }
TEST_CASE("gemm of floats") { check_gemm<float>(); }
TEST_CASE("the same text by the warpgroups of sm_90") { check_gemm<tg::bf16, 90>(); }
