// Attention, forward and backward.
#include <cmath>

#include <bench/gpu/parts.hpp>
#include <kernels/attention.hpp>
#include <kernels/attention_backward.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>

namespace k = tg::kernels;

namespace {

constexpr k::attention_options causal{.causal = true};
constexpr unsigned batch = 4;

template <class T, int Size, k::attention_options Options> void time_heads(bench::gpu_run& run) {
  tg::device& gpu = run.gpu;
  const unsigned positions = run.extent(4096, 128), heads = run.extent(2048, 256) / Size, width = heads * Size,
                 rows = batch * positions;
  const std::size_t count = std::size_t{rows} * width;
  auto q = bench::random_buffer<T>(gpu, count, 1), kk = bench::random_buffer<T>(gpu, count, 2),
       v = bench::random_buffer<T>(gpu, count, 3), o = gpu.zeros<T>(count), d_o = bench::random_buffer<T>(gpu, count, 4);
  auto d_q = gpu.zeros<T>(count), d_k = gpu.zeros<T>(count), d_v = gpu.zeros<T>(count);
  auto sums = gpu.zeros<float>(std::size_t{heads} * rows), delta = gpu.zeros<float>(std::size_t{heads} * rows);
  const auto of = [&](auto& b) { return tg::matrix(b, rows, width); };
  const auto of_rows = [&](auto& b) { return tg::matrix(b, heads, rows); };
  const float scale = 1 / std::sqrt(float(Size));
  const double flops = 4.0 * batch * heads * double(positions) * positions * Size * (Options.causal ? 0.5 : 1);
  const std::string name = "attention " + std::to_string(Size) + (Options.causal ? " causal" : "");
  const auto forward = [&]<int Sm>(tg::for_sm_t<Sm>) {
    return [&] {
      constexpr auto& kernel = k::attention_tiles<T, Size, Options, Sm, tg::out2<float>>;
      gpu.launch(kernel, k::attention_tiles_grid(kernel, positions, heads, batch), of(q), of(kk), of(v), of(o), positions,
                 positions, 1u, scale, of_rows(sums));
    };
  };
  run.add_half_product(name + " sm_80", flops, forward(tg::for_sm<80>));
  run.add_half_product(name + " sm_90a", flops, forward(tg::for_sm<90>));
  run.add_half_product(name + " sm_90a producer", flops, [&] {
    constexpr k::attention_options fetched{Options.causal, Options.window, true};
    constexpr auto& kernel = k::attention_tiles<T, Size, fetched, 90, tg::out2<float>>;
    gpu.launch(kernel, k::attention_tiles_grid(kernel, positions, heads, batch), of(q), of(kk), of(v), of(o), positions,
               positions, 1u, scale, of_rows(sums));
  });
  if constexpr (Size == 128 && Options.causal) {
    const auto lanes = [&] {
      gpu.launch(k::attention<T, Size, true>, k::attention_grid<Size>(positions, heads, batch), of(q), of(kk), of(v), of(o),
                 positions, positions, 1u, scale);
    };
    run.add_half_product(name + " lanes", flops, lanes);
  }
  if constexpr (Options.causal) {
    const auto back = [&]<int Sm>(tg::for_sm_t<Sm>) {
      return [&] {
        gpu.launch(k::attention_deltas<T, Size>, k::attention_deltas_grid(rows, heads), of(o), of(d_o), of_rows(delta), rows);
        const auto gradient_grid = k::attention_gradient_grid(positions, heads, batch);
        gpu.launch(k::attention_query_gradient<T, Size, Options, Sm>, gradient_grid, of(q), of(kk), of(v), of(d_o),
                   of_rows(sums), of_rows(delta), of(d_q), positions, positions, 1u, scale);
        gpu.launch(k::attention_key_gradient<T, Size, Options, Sm>, gradient_grid, of(q), of(kk), of(v), of(d_o), of_rows(sums),
                   of_rows(delta), of(d_k), of(d_v), positions, positions, 1u, scale);
      };
    };
    run.add_half_product(name + " backward sm_80", 2.5 * flops, back(tg::for_sm<80>));
    run.add_half_product(name + " backward sm_90a", 2.5 * flops, back(tg::for_sm<90>));
  }
}

void time_bytes(bench::gpu_run& run) {
  constexpr int size = 128;
  tg::device& gpu = run.gpu;
  const unsigned positions = run.extent(4096, 128), heads = run.extent(2048, 256) / size, width = heads * size,
                 rows = batch * positions;
  const std::size_t count = std::size_t{rows} * width;
  auto q = bench::random_buffer<tg::f8e4m3>(gpu, count, 1), kk = bench::random_buffer<tg::f8e4m3>(gpu, count, 2),
       v = bench::random_buffer<tg::f8e4m3>(gpu, count, 3);
  auto o = gpu.zeros<tg::bf16>(count);
  constexpr auto& kernel = k::attention_f8<tg::bf16, size, k::attention_options{}, 90>;
  run.add_half_product("attention 128 f8 sm_90a", 4.0 * batch * heads * double(positions) * positions * size, [&] {
    gpu.launch(kernel, k::attention_tiles_grid(kernel, positions, heads, batch), tg::matrix(q, rows, width),
               tg::matrix(kk, rows, width), tg::matrix(v, batch * width, positions), tg::matrix(o, rows, width), positions,
               positions, 1u, 1 / std::sqrt(float(size)), 1.0f);
  });
}

}  // namespace

void bench::time_attention(gpu_run& run) {
  time_heads<tg::bf16, 128, causal>(run);
  time_heads<tg::bf16, 128, k::attention_options{}>(run);
  time_heads<tg::bf16, 64, causal>(run);
  time_bytes(run);
}
