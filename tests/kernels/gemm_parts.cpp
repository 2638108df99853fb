#include <kernels/gemm_parts.hpp>

#include <tg/dsl/proof/analyze.hpp>

#include "../random_seed.hpp"
#include "gemms.hpp"

namespace {

using namespace gemms;

/// As many parts as the launch says, added with a bias.
template <gemm_options Options, class T, int Sm = 80> void check_parts(unsigned m, unsigned n, unsigned k, unsigned parts) {
  using in = typename gemm_elements<T>::in;
  using out = typename gemm_elements<T>::out;
  using sum_type = typename gemm_elements<T>::sum;
  tg::device gpu;
  std::mt19937 random(random_seed());
  const auto a = make<in>(Options.left_transposed ? k : m, Options.left_transposed ? m : k, random);
  const auto b = make<in>(Options.right_transposed ? n : k, Options.right_transposed ? k : n, random);
  const auto bias = make<float>(1, n, random);
  tiles::on_device<in> da(gpu, a), db(gpu, b);
  tiles::on_device<float> d_bias(gpu, bias);
  tiles::on_device<sum_type> d_parts(gpu, tiles::matrix<sum_type>(parts * m, n, apart<sum_type>));
  tiles::on_device<out> dc(gpu, tiles::matrix<out>(m, n, apart<out>));
  constexpr auto product = gemm<Options, T>(gemm_sums, tg::for_sm<Sm>);
  constexpr auto join = gemm_join_parts<Options, T, tg::in<float>>(
      [](const auto& sum, const auto& at, auto added) { return sum + at.of_columns(added); });
  gpu.launch(product, gemm_grid(product, m, n, parts), da.argument(), db.argument(), d_parts.argument(), m, n, k);
  gpu.launch(join, gemm_join_grid(m, n), d_parts.argument(), dc.argument(), m, n, parts, d_bias.memory);
  const exact_product<Options, in> exact{a, b, n, k};
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(parts);
  CHECK(excess_with_bias(dc.read(), exact, bias, parts + 4) <= 1);
}

constexpr gemm_options any_split{.split = 0}, any_split_nt{.right_transposed = true, .split = 0};

}  // namespace

TEST_CASE("products in as many parts as the launch says") {
  for (const unsigned parts : {1u, 2u, 5u, 7u}) check_parts<any_split, tg::bf16>(65, 129, 131, parts);
  check_parts<any_split, float>(129, 33, 97, 3);
  check_parts<any_split_nt, gemm_types<tg::f8e4m3, tg::bf16>>(17, 129, 193, 2);
  check_parts<any_split_nt, tg::f16, 90>(33, 65, 257, 3);
  check_parts<any_split, tg::bf16>(1, 1, 1, 4);  // three parts have nothing to add
}

TEST_CASE("parts of k fill the machine, and each has within a step as much as the others") {
  const auto parts_of = [](unsigned m, unsigned n, unsigned k, unsigned at_once) {
    return gemm_parts<any_split, tg::bf16>(m, n, k, at_once);
  };
  CHECK(parts_of(4096, 4096, 4096, 128) == 1);  // 8 turns of 128 tiles
  CHECK(parts_of(128, 128, 32, 132) == 1);      // one step
  CHECK(parts_of(128, 128, 0, 132) == 1);
  CHECK(parts_of(128, 128, 32768, 132) > 16);  // one tile, 1024 steps
  for (const unsigned m : {1u, 129u, 640u, 1000u, 4096u})
    for (const unsigned k : {33u, 1000u, 4096u, 28672u})
      for (const unsigned at_once : {16u, 108u, 132u, 264u}) {
        const unsigned n = 1280, parts = parts_of(m, n, k, at_once);
        const unsigned tiles = (m + 127) / 128 * (n / 128), steps = (k + 31) / 32, most = (steps + parts - 1) / parts;
        CAPTURE(m);
        CAPTURE(k);
        CAPTURE(at_once);
        CHECK(parts >= 1);
        CHECK(parts <= steps);
        CHECK(most < double(steps) / parts + 1);
        const auto turns = [&](unsigned p) { return (tiles * p + at_once - 1) / at_once * ((steps + p - 1) / p); };
        CHECK(turns(parts) <= turns(1));
      }
}

TEST_CASE("products in as many parts as the launch says are proved to keep apart") {
  const tg::kernel_analysis found = tg::analyze(gemm<any_split, tg::bf16>(gemm_sums));
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.unknown().empty());
}
