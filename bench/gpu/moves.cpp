// Kernels that move more than they compute.
#include <bench/gpu/parts.hpp>
#include <kernels/cross_entropy.hpp>
#include <kernels/layer_norm.hpp>
#include <kernels/reduction.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/saxpy4.hpp>
#include <kernels/softmax.hpp>
#include <kernels/softmax_online.hpp>
#include <kernels/softmax_tiles.hpp>
#include <kernels/transpose.hpp>

namespace k = tg::kernels;

void bench::time_moves(gpu_run& run) {
  tg::device& gpu = run.gpu;
  {
    const unsigned n = run.extent(1u << 26, 4096);
    auto x = random_buffer<float>(gpu, n, 1), y = random_buffer<float>(gpu, n, 2), total = gpu.zeros<float>(1);
    const auto plain = [&] { gpu.launch(k::saxpy, tg::cover(n), x, y, 0.5f, n); };
    const auto wide = [&] { gpu.launch(k::saxpy4, tg::cover(n / 4), x, y, 0.5f, n); };
    run.add_moving("saxpy", 12.0 * n, plain);
    run.add_moving("saxpy4", 12.0 * n, wide);
    if (const auto other = run.by_nvcc.find("saxpy", "saxpy"))
      run.add_twin("saxpy", plain, [&] { other->launch(tg::grid(n / 256), {256, 1, 1}, x, y, 0.5f, n); });
    if (const auto other = run.by_nvcc.find("saxpy4", "saxpy4"))
      run.add_twin("saxpy4", wide, [&] { other->launch(tg::grid(n / 1024), {256, 1, 1}, x, y, 0.5f, n); });
    run.add_moving("sum", 4.0 * n, [&] { gpu.launch(k::sum, tg::grid(132 * 8), x, total, n); });
  }
  const unsigned rows = run.extent(16384, 8), columns = 4096;
  const double elements = double(rows) * columns;
  {
    auto x = random_buffer<float>(gpu, std::size_t{rows} * columns, 3);
    auto y = random_buffer<float>(gpu, std::size_t{rows} * columns, 4);
    const auto in = tg::matrix(x, rows, columns), out = tg::matrix(y, rows, columns);
    const auto transpose = [&] {
      gpu.launch(k::transpose_swizzled, k::transpose_grid(rows, columns), in, tg::matrix(y, columns, rows), rows, columns);
    };
    run.add_moving("transpose", 8 * elements, transpose);
    if (const auto other = run.by_nvcc.find("transpose_swizzled", "transpose_swizzled"))
      run.add_twin("transpose", transpose,
                   [&] { other->launch(tg::grid(columns / 32, rows / 32), {32, 8, 1}, x, columns, y, rows, rows, columns); });
    const auto three = [&] { gpu.launch(k::softmax, tg::grid(rows), in, out, columns); };
    const auto online = [&] { gpu.launch(k::softmax_online, tg::grid(rows), in, out, columns); };
    run.add_moving("softmax", 8 * elements, three);
    run.add_moving("softmax online", 8 * elements, online);
    run.add_moving("softmax tiles", 8 * elements,
                   [&] { gpu.launch(k::softmax_tiles<float, 4096>, tg::grid(rows), in, out, rows, columns); });
    if (const auto other = run.by_nvcc.find("softmax", "softmax"))
      run.add_twin("softmax", three, [&] { other->launch(tg::grid(rows), {512, 1, 1}, x, columns, y, columns, columns); });
    if (const auto other = run.by_nvcc.find("softmax_online", "softmax_online"))
      run.add_twin("softmax online", online,
                   [&] { other->launch(tg::grid(rows), {256, 1, 1}, x, columns, y, columns, columns); });
  }
  {
    auto x = random_buffer<tg::bf16>(gpu, std::size_t{rows} * columns, 5);
    auto r = random_buffer<tg::bf16>(gpu, std::size_t{rows} * columns, 6);
    auto s = random_buffer<tg::bf16>(gpu, std::size_t{rows} * columns, 7);
    auto y = random_buffer<tg::bf16>(gpu, std::size_t{rows} * columns, 8);
    auto gamma = random_buffer<tg::bf16>(gpu, columns, 9), beta = random_buffer<tg::bf16>(gpu, columns, 10);
    const auto of = [&](auto& b) { return tg::matrix(b, rows, columns); };
    run.add_moving("softmax bf16", 4 * elements,
                   [&] { gpu.launch(k::softmax_tiles<tg::bf16, 4096>, tg::grid(rows), of(x), of(y), rows, columns); });
    run.add_moving("layer norm bf16", 4 * elements, [&] {
      gpu.launch(k::layer_norm<tg::bf16, 4096>, tg::grid(rows), of(x), gamma, beta, of(y), rows, columns, 1e-5f);
    });
    run.add_moving("residual RMS norm bf16", 8 * elements, [&] {
      gpu.launch(k::residual_rms_norm<tg::bf16, 4096>, tg::grid(rows), of(x), of(r), gamma, of(s), of(y), rows, columns, 1e-5f);
    });
  }
  {
    const unsigned tokens = run.extent(8192, 2), words = 32000;
    auto x = random_buffer<tg::bf16>(gpu, std::size_t{tokens} * words, 11),
         d = random_buffer<tg::bf16>(gpu, std::size_t{tokens} * words, 12);
    auto targets = gpu.upload(std::vector<unsigned>(tokens, 77u));
    auto loss = gpu.zeros<float>(tokens), sums = gpu.zeros<float>(tokens);
    const double all = double(tokens) * words;
    run.add_moving("cross-entropy bf16", 2 * all, [&] {
      gpu.launch(k::cross_entropy<tg::bf16>, tg::grid(tokens), tg::matrix(x, tokens, words), targets, loss, sums, tokens,
                 words);
    });
    run.add_moving("cross-entropy gradient bf16", 4 * all, [&] {
      gpu.launch(k::cross_entropy_backward<tg::bf16>, k::cross_entropy_grid(tokens, words), tg::matrix(x, tokens, words),
                 targets, sums, tg::matrix(d, tokens, words), tokens, words, 1.0f);
    });
  }
}
