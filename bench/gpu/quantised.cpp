// Weights of 4 and 8 bits.
#include <bench/gpu/parts.hpp>
#include <kernels/dequantising_gemm.hpp>
#include <kernels/gemm.hpp>
#include <kernels/q4k_matvec.hpp>

namespace k = tg::kernels;

namespace {

using weights = k::w4a16_weights<128>;

struct product {
  unsigned m, n, depth;
  tg::buffer<tg::bf16> x, c;
  tg::buffer<unsigned> words;
  tg::buffer<tg::f16> scales;

  product(tg::device& gpu, unsigned m, unsigned n, unsigned depth)
      : m(m),
        n(n),
        depth(depth),
        x(bench::random_buffer<tg::bf16>(gpu, std::size_t{m} * depth, 1)),
        c(gpu.zeros<tg::bf16>(std::size_t{m} * n)),
        words(bench::random_buffer<unsigned>(gpu, std::size_t{n} * depth / 8, 2)),
        scales(bench::random_buffer<tg::f16>(gpu, std::size_t{n} * depth / 128, 3)) {}

  double bytes() const { return double(n) * depth / 2 + double(n) * depth / 64 + 2.0 * m * depth + 2.0 * m * n; }
  std::string name() const { return "W4A16 of " + std::to_string(m) + " tokens"; }
  /// `kernel` writes m x n numbers, or so many in each part.
  template <class Kernel, class To>
  void launch(tg::device& gpu, const Kernel& kernel, const tg::placement& where, const To& to) {
    gpu.launch(kernel, where, tg::matrix(x, m, depth), to, m, n, depth, tg::matrix(words, depth / 8, n),
               tg::matrix(scales, depth / 128, n));
  }
};

template <int Tokens, int Sm = 80> void time_tokens(bench::gpu_run& run, unsigned m, unsigned n, unsigned depth) {
  product p(run.gpu, m, n, depth);
  const auto work = [&] {
    p.launch(run.gpu, k::dequantising_gemm<weights, tg::bf16, Tokens, Sm>, k::dequantising_grid<Tokens>(m, n),
             tg::matrix(p.c, m, n));
  };
  const std::string name = p.name() + (Sm == 90 ? " sm_90a" : "");
  if (m >= 512) return run.add_half_product(name, 2.0 * m * n * depth, work);
  run.add_moving(name, p.bytes(), work);
}

/// Few tokens: the depth in parts, and the sum of them.
template <int Split> void time_parts(bench::gpu_run& run, unsigned m, unsigned n, unsigned depth) {
  constexpr int tokens = 16;
  product p(run.gpu, m, n, depth);
  auto parts = run.gpu.zeros<float>(std::size_t{Split} * m * n);
  run.add_moving(p.name() + " in " + std::to_string(Split) + " parts", p.bytes(), [&] {
    p.launch(run.gpu, k::dequantising_parts<weights, tg::bf16, Split, tokens>, k::dequantising_grid<tokens>(m, n, Split),
             tg::matrix(parts, Split * m, n));
    run.gpu.launch(k::gemm_join<k::gemm_options{.split = Split}, tg::bf16>(k::gemm_sums), k::gemm_join_grid(m, n),
                   tg::matrix(parts, Split * m, n), tg::matrix(p.c, m, n), m, n);
  });
}

}  // namespace

void bench::time_quantised(gpu_run& run) {
  const unsigned n = run.extent(8192, 128), depth = run.extent(8192, 256);
  time_tokens<16>(run, 16, n, depth);
  time_parts<4>(run, 16, n, depth);
  time_parts<8>(run, 16, n, depth);
  time_tokens<64>(run, 64, n, depth);
  time_tokens<64, 90>(run, 64, n, depth);
  time_tokens<128>(run, run.extent(4096, 128), n, depth);
  time_tokens<256, 90>(run, run.extent(4096, 128), n, depth);

  tg::device& gpu = run.gpu;
  const unsigned rows = run.extent(28672, 8), columns = run.extent(8192, 256), words = k::q4k_words(columns);
  auto w = bench::random_buffer<unsigned>(gpu, std::size_t{rows} * words, 4);
  auto q = bench::random_buffer<std::int8_t>(gpu, columns, 5);
  auto ds = gpu.zeros<tg::f16x2>(columns / 32);
  auto y = gpu.zeros<float>(rows);
  run.add_moving("Q4_K matrix times vector", 4.0 * rows * words,
                 [&] { gpu.launch(k::q4k_matvec, k::q4k_grid(rows), tg::matrix(w, rows, words), q, ds, y, rows, columns); });
}
