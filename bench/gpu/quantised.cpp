// Weights of 4 and 8 bits.
#include <bench/gpu/parts.hpp>
#include <kernels/dequantising_gemm.hpp>
#include <kernels/q4k_matvec.hpp>

namespace k = tg::kernels;

namespace {

template <int Tokens, int Sm = 80> void time_tokens(bench::gpu_run& run, unsigned m, unsigned n, unsigned depth) {
  tg::device& gpu = run.gpu;
  auto x = bench::random_buffer<tg::bf16>(gpu, std::size_t{m} * depth, 1);
  auto c = gpu.zeros<tg::bf16>(std::size_t{m} * n);
  auto words = bench::random_buffer<unsigned>(gpu, std::size_t{n} * depth / 8, 2);
  auto scales = bench::random_buffer<tg::f16>(gpu, std::size_t{n} * depth / 128, 3);
  const auto work = [&] {
    gpu.launch(k::dequantising_gemm<k::w4a16_weights<128>, tg::bf16, Tokens, Sm>, k::dequantising_grid<Tokens>(m, n),
               tg::matrix(x, m, depth), tg::matrix(c, m, n), m, n, depth, tg::matrix(words, depth / 8, n),
               tg::matrix(scales, depth / 128, n));
  };
  const std::string name = "W4A16 of " + std::to_string(m) + " tokens" + (Sm == 90 ? " sm_90a" : "");
  if (m >= 512) return run.add_half_product(name, 2.0 * m * n * depth, work);
  run.add_moving(name, double(n) * depth / 2 + double(n) * depth / 64 + 2.0 * m * depth + 2.0 * m * n, work);
}

}  // namespace

void bench::time_quantised(gpu_run& run) {
  const unsigned n = run.extent(8192, 128), depth = run.extent(8192, 256);
  time_tokens<16>(run, 16, n, depth);
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
