// Products of matrices.
#include <bench/gpu/parts.hpp>
#include <kernels/gemm.hpp>
#include <kernels/gemm_stream.hpp>
#include <kernels/sgemm.hpp>

namespace k = tg::kernels;

namespace {

constexpr auto scaled = [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); };
constexpr auto by_lanes = k::sgemm<128, 128, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled);
constexpr auto by_wide_lanes = k::sgemm<128, 256, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled);
constexpr k::gemm_options banded{.band = 8};
constexpr k::gemm_options wide{.band = 8, .columns = 256};
constexpr k::gemm_options wide_fetched{.band = 8, .columns = 256, .producer = true};
constexpr k::gemm_options wide_shared{.band = 8, .columns = 256, .producer = true, .cluster = 2};
constexpr k::gemm_options bytes_banded{.right_transposed = true, .band = 8};
constexpr k::gemm_options bytes_wide{.right_transposed = true, .band = 8, .columns = 256};

template <k::gemm_options Options, class T, int Sm>
void time_half(bench::gpu_run& run, const std::string& name, unsigned side) {
  constexpr auto product = k::gemm<Options, T>(k::gemm_sums, tg::for_sm<Sm>);
  tg::device& gpu = run.gpu;
  const std::size_t count = std::size_t{side} * side;
  using in = typename k::gemm_elements<T>::in;
  using out = typename k::gemm_elements<T>::out;
  auto a = bench::random_buffer<in>(gpu, count, 1), b = bench::random_buffer<in>(gpu, count, 2);
  auto c = gpu.zeros<out>(count);
  run.add_half_product(name + " " + std::to_string(side), 2.0 * side * side * side, [&] {
    gpu.launch(product, k::gemm_grid(product, side, side), tg::matrix(a, side, side), tg::matrix(b, side, side),
               tg::matrix(c, side, side), side, side, side);
  });
  if constexpr (std::is_same_v<T, tg::bf16> && Sm == 80) {
    const auto other = run.by_nvcc.find("gemm_bf16", "gemm_bf16");
    if (!other || Options.band != 1) return;
    auto twin = *other;
    constexpr unsigned shared = 4 * 2 * 128 * 32 * 2;
    twin.allow_shared_bytes(shared);
    run.add_twin(
        name + " " + std::to_string(side),
        [&] {
          gpu.launch(product, k::gemm_grid(product, side, side), tg::matrix(a, side, side), tg::matrix(b, side, side),
                     tg::matrix(c, side, side), side, side, side);
        },
        [&] {
          twin.launch(tg::grid(side / 128, side / 128).shared(shared), {128, 1, 1}, a, side, b, side, c, side, side, side,
                      side);
        });
  }
}

/// A product by as many blocks as run at once, one on each multiprocessor.
template <k::gemm_options Options> void time_stream(bench::gpu_run& run, const std::string& name, unsigned side) {
  constexpr auto product = k::gemm_stream<Options, tg::bf16>(k::gemm_sums, tg::for_sm<90>);
  constexpr auto join = k::gemm_stream_join<Options, tg::bf16>(k::gemm_sums, tg::for_sm<90>);
  tg::device& gpu = run.gpu;
  const std::size_t count = std::size_t{side} * side;
  const unsigned blocks = k::gemm_stream_blocks(product, side, side, side, static_cast<unsigned>(gpu.limits().multiprocessors));
  auto a = bench::random_buffer<tg::bf16>(gpu, count, 1), b = bench::random_buffer<tg::bf16>(gpu, count, 2);
  auto c = gpu.zeros<tg::bf16>(count);
  const unsigned rows = 256 * blocks;
  auto parts = gpu.zeros<float>(std::size_t{rows} * Options.columns);
  const auto mp = tg::matrix(parts, rows, static_cast<unsigned>(Options.columns));
  run.add_half_product(name + " " + std::to_string(side), 2.0 * side * side * side, [&] {
    gpu.launch(product, tg::grid(blocks), tg::matrix(a, side, side), tg::matrix(b, side, side), tg::matrix(c, side, side), mp,
               side, side, side);
    gpu.launch(join, k::gemm_stream_join_grid(product, side, side, blocks), mp, tg::matrix(c, side, side), side, side, side,
               blocks);
  });
}

void time_floats(bench::gpu_run& run, unsigned side) {
  constexpr auto product = k::gemm<float>(k::gemm_sums);
  tg::device& gpu = run.gpu;
  const std::size_t count = std::size_t{side} * side;
  auto a = bench::random_buffer<float>(gpu, count, 1), b = bench::random_buffer<float>(gpu, count, 2);
  auto c = gpu.zeros<float>(count);
  const double flops = 2.0 * side * side * side;
  const auto ma = tg::matrix(a, side, side), mb = tg::matrix(b, side, side);
  const auto mc = tg::matrix(c, side, side);
  const std::string at = " " + std::to_string(side);
  run.add_float_product("gemm float" + at, flops,
                        [&] { gpu.launch(product, k::gemm_grid(product, side, side), ma, mb, mc, side, side, side); });
  const auto lanes = [&] {
    gpu.launch(by_lanes, k::sgemm_grid(by_lanes, side, side), ma, mb, mc, side, side, side, 1.0f, 0.0f);
  };
  run.add_float_product("sgemm 128 x 128" + at, flops, lanes);
  run.add_float_product("sgemm 128 x 256" + at, flops, [&] {
    gpu.launch(by_wide_lanes, k::sgemm_grid(by_wide_lanes, side, side), ma, mb, mc, side, side, side, 1.0f, 0.0f);
  });
  if (const auto other = run.by_nvcc.find("sgemm", "sgemm"))
    run.add_twin("sgemm 128 x 128" + at, lanes, [&] {
      other->launch(tg::grid(side / 128, side / 128), {256, 1, 1}, a, side, b, side, c, side, side, side, side, 1.0f, 0.0f);
    });
}

}  // namespace

void bench::time_products(gpu_run& run) {
  for (const unsigned side : {run.extent(4096, 128), run.extent(8192, 256)}) {
    time_half<k::gemm_options{}, tg::bf16, 80>(run, "gemm bf16 sm_80", side);
    time_half<banded, tg::bf16, 80>(run, "gemm bf16 sm_80 band 8", side);
    time_half<k::gemm_options{}, tg::bf16, 90>(run, "gemm bf16 sm_90a", side);
    time_half<banded, tg::bf16, 90>(run, "gemm bf16 sm_90a band 8", side);
    time_half<wide, tg::bf16, 90>(run, "gemm bf16 sm_90a 128 x 256", side);
    time_half<wide_fetched, tg::bf16, 90>(run, "gemm bf16 sm_90a 128 x 256 producer", side);
    time_half<wide_shared, tg::bf16, 90>(run, "gemm bf16 sm_90a 128 x 256 producer cluster 2", side);
    time_stream<wide>(run, "gemm_stream bf16 sm_90a 128 x 256", side);
    time_stream<wide_fetched>(run, "gemm_stream bf16 sm_90a 128 x 256 producer", side);
    time_half<bytes_wide, k::gemm_types<tg::f8e4m3, tg::bf16>, 90>(run, "gemm f8 sm_90a 128 x 256", side);
    time_half<bytes_banded, k::gemm_types<tg::f8e4m3, tg::bf16>, 90>(run, "gemm f8 sm_90a band 8", side);
  }
  time_floats(run, run.extent(4096, 256));
}
