#include <kernels/gemm_stream.hpp>

#include <tg/dsl/proof/analyze.hpp>

#include "../random_seed.hpp"
#include "gemms.hpp"

namespace {

using namespace gemms;

/// One product by several numbers of blocks, with a bias; a second result is written beside it.
template <gemm_options Options, class T, int Sm = 80>
void check_stream(unsigned m, unsigned n, unsigned k, std::initializer_list<unsigned> numbers_of_blocks) {
  using in = typename gemm_elements<T>::in;
  using out = typename gemm_elements<T>::out;
  using sum_type = typename gemm_elements<T>::sum;
  constexpr auto with_bias = [](const auto& sum, const auto& at, auto added) { return sum + at.of_columns(added); };
  constexpr auto product = gemm_stream<Options, T, tg::in<float>>(with_bias, tg::for_sm<Sm>);
  constexpr auto join = gemm_stream_join<Options, T, tg::in<float>>(with_bias, tg::for_sm<Sm>);
  tg::device gpu;
  std::mt19937 random(random_seed());
  const auto a = make<in>(Options.left_transposed ? k : m, Options.left_transposed ? m : k, random);
  const auto b = make<in>(Options.right_transposed ? n : k, Options.right_transposed ? k : n, random);
  const auto bias = make<float>(1, n, random);
  tiles::on_device<in> da(gpu, a), db(gpu, b);
  tiles::on_device<float> d_bias(gpu, bias);
  const exact_product<Options, in> exact{a, b, n, k};
  for (const unsigned blocks : numbers_of_blocks) {
    tiles::on_device<sum_type> d_parts(gpu, tiles::matrix<sum_type>(256 * blocks, Options.columns, apart<sum_type>));
    tiles::on_device<out> dc(gpu, tiles::matrix<out>(m, n, apart<out>));
    gpu.launch(product, tg::grid(blocks), da.argument(), db.argument(), dc.argument(), d_parts.argument(), m, n, k,
               d_bias.memory);
    gpu.launch(join, gemm_stream_join_grid(product, m, n, blocks), d_parts.argument(), dc.argument(), m, n, k, blocks,
               d_bias.memory);
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(blocks);
    CHECK(excess_with_bias(dc.read(), exact, bias, blocks + 4) <= 1);
  }
}

constexpr gemm_options plain{}, turned{.left_transposed = true, .right_transposed = true}, banded{.band = 2},
    wide{.columns = 256}, wide_band{.band = 3, .columns = 256}, f8{.right_transposed = true};

}  // namespace

TEST_CASE("products by any number of blocks") {
  check_stream<plain, tg::bf16>(257, 385, 97, {1, 2, 3, 5, 7, 12, 13, 24, 25});
  check_stream<plain, tg::bf16>(1, 1, 1, {1, 2, 5});
  check_stream<plain, tg::bf16>(128, 128, 32 * 5, {1, 2, 3, 5, 8});
  check_stream<plain, tg::bf16>(127, 129, 331, {2, 3});
  check_stream<turned, tg::f16>(131, 263, 65, {1, 4, 5});
  check_stream<plain, float>(129, 255, 67, {1, 3, 4, 7});
  check_stream<banded, tg::bf16>(385, 263, 65, {1, 2, 5, 9, 11});
}

TEST_CASE("products by any number of blocks, by the warpgroups of sm_90") {
  check_stream<plain, tg::bf16, 90>(257, 263, 193, {1, 2, 4, 7, 9});
  check_stream<plain, tg::bf16, 90>(1, 1, 1, {1, 3});
  check_stream<wide, tg::bf16, 90>(129, 511, 257, {1, 3, 4, 5});
  check_stream<wide_band, tg::f16, 90>(513, 257, 65, {3, 4, 8, 10});
  check_stream<f8, gemm_types<tg::f8e4m3, tg::bf16>, 90>(65, 129, 300, {1, 2, 3});
}

TEST_CASE("products by any number of blocks, for which a producer fetches") {
  constexpr gemm_options fetched{.producer = true}, wide{.columns = 256, .producer = true};
  check_stream<fetched, tg::bf16, 90>(257, 263, 193, {1, 2, 4, 7, 9});
  check_stream<fetched, tg::bf16, 90>(1, 1, 1, {1, 3});
  check_stream<wide, tg::f16, 90>(129, 511, 257, {1, 3, 4, 5});
}

TEST_CASE("a product of nothing is zero") {
  tg::device gpu;
  constexpr auto product = gemm_stream<tg::bf16>(gemm_sums);
  tiles::on_device<tg::bf16> operands(gpu, tiles::matrix<tg::bf16>(130, 8)), c(gpu, tiles::matrix<tg::bf16>(130, 8));
  tiles::on_device<float> parts(gpu, tiles::matrix<float>(256 * 2, 128));
  gpu.launch(product, tg::grid(2), operands.argument(), operands.argument(), c.argument(), parts.argument(), 130u, 8u, 0u);
  const auto found = c.read();
  for (unsigned r = 0; r < 130; ++r)
    for (unsigned j = 0; j < 8; ++j) CHECK(found(r, j) == 0);
}

TEST_CASE("blocks of a product fill the machine where k is long enough") {
  constexpr auto product = gemm_stream<tg::bf16>(gemm_sums);
  CHECK(gemm_stream_blocks(product, 4096, 4096, 4096, 132) == 132);
  CHECK(gemm_stream_blocks(product, 128, 256, 4096, 132) == 32);
  CHECK(gemm_stream_blocks(product, 128, 256, 100, 132) == 2);
  CHECK(gemm_stream_blocks(product, 0, 256, 100, 132) == 1);
}

TEST_CASE("nothing is refuted of products by any number of blocks, nor unknown of what they share") {
  const auto check = [](const auto& kernel) {
    const tg::kernel_analysis found = tg::analyze(kernel);
    INFO(found.text());
    CHECK(found.refuted().empty());
    for (const auto& f : found.unknown()) CHECK(f.text().find("global race") != std::string::npos);
  };
  check(gemm_stream<tg::bf16>(gemm_sums));
  check(gemm_stream<wide, tg::bf16>(gemm_sums, tg::for_sm<90>));
  check(gemm_stream_join<tg::bf16>(gemm_sums));
}
