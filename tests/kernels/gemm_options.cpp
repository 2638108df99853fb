// Products whose operands lie in every way, of other types, batched, grouped, in parts, with several results.
#include <kernels/gemm_options.hpp>

#include <random>
#include <string>
#include <vector>

#include <kernels/gemm.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "../random_seed.hpp"
#include "gemm_checks.hpp"
#include "gemms.hpp"

using namespace gemms;

TEST_CASE("operands that lie transposed") {
  check_options<tn, tg::bf16>(129, 65, 97);
  check_options<tt, tg::bf16>(131, 127, 41);
  check_options<nt, float>(129, 61, 33);
}
TEST_CASE("operands that lie transposed, by the warpgroups of sm_90") { check_options<nt, tg::bf16, 90>(67, 257, 65); }
TEST_CASE("operands of 8 bits") { check_options<nt, gemm_types<signed char, int>>(127, 33, 257); }
TEST_CASE("many products, and products in parts") {
  check_options<batched_tn, tg::bf16>(65, 129, 31, 2);
  check_options<halves, float>(65, 129, 1);
  check_options<batched_thirds, tg::f16>(33, 65, 257, 2);
}
TEST_CASE("a producer fetches the operands at sm_90") {
  constexpr gemm_options thirds{.right_transposed = true, .batched = true, .split = 3, .producer = true};
  check_options<thirds, tg::f16, 90>(33, 65, 257, 2);
}
TEST_CASE("blocks of a cluster copy columns of B once") {
  constexpr gemm_options two{.band = 2, .producer = true, .cluster = 2};
  check_options<two, tg::bf16, 90>(129, 65, 449);
  check_options<two, tg::bf16, 90>(1, 1, 1);
  const auto text = tg::to_ptx(gemm<two, tg::bf16>(gemm_sums, tg::for_sm<90>));
  CHECK(text.find(".multicast::cluster") != std::string::npos);
}
TEST_CASE("blocks of several rows take turns") {
  for (const unsigned m : {1u, 129u, 511u, 513u}) check_options<banded, tg::bf16>(m, 257, 33);
}

TEST_CASE("products of different heights, one of them empty") {
  constexpr gemm_options options{.right_transposed = true};
  tg::device gpu;
  std::mt19937 random(random_seed());
  const unsigned n = 129, k = 65;
  const std::vector<unsigned> starts{0, 1, 130, 130, 197};
  const unsigned rows = starts.back(), products = static_cast<unsigned>(starts.size()) - 1;
  const auto a = make<tg::bf16>(rows, k, random), b = make<tg::bf16>(products * n, k, random);
  const auto bias = make<float>(1, n, random);
  tiles::on_device<tg::bf16> da(gpu, a), db(gpu, b), dc(gpu, tiles::matrix<tg::bf16>(rows, n));
  auto d_starts = gpu.upload(starts);
  tiles::on_device<float> d_bias(gpu, bias);
  constexpr auto grouped = gemm_grouped<options, tg::bf16, tg::in<float>>(
      [](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); });
  gpu.launch(grouped, gemm_grid(grouped, 129, n, products), da.argument(), db.argument(), dc.argument(), d_starts, n, k,
             d_bias.memory);
  const tiles::matrix<tg::bf16> c = dc.read();
  const exact_product<options, tg::bf16> exact{a, b, n, k};
  tiles::excess excess;
  for (unsigned p = 0; p < products; ++p)
    for (unsigned r = 0; r < starts[p + 1] - starts[p]; ++r)
      for (unsigned j = 0; j < n; ++j) {
        const auto [sum, size] = exact(starts[p], p * n, r, j);
        const double wanted = sum + bias(0, j);
        excess(c(starts[p] + r, j), wanted, 0x1p-8 * std::abs(wanted) + (k + 4) * 0x1p-23 * (size + std::abs(bias(0, j))));
      }
  CHECK(excess.worst <= 1);
}

TEST_CASE("products whose rows do not ascend are named by a checker, and so are rows that no number has") {
  constexpr auto grouped = gemm_grouped<gemm_options{}, tg::bf16>(gemm_sums);
  const unsigned n = 8, k = 8, products = 2;
  const auto code_of = [&](const std::vector<unsigned>& starts) {
    tg::device gpu;
    tiles::on_device<tg::bf16> a(gpu, tiles::matrix<tg::bf16>(64, k)), b(gpu, tiles::matrix<tg::bf16>(products * k, n)),
        c(gpu, tiles::matrix<tg::bf16>(64, n));
    try {
      gpu.launch(grouped, gemm_grid(grouped, 64, n, products), a.argument(), b.argument(), c.argument(), gpu.upload(starts), n,
                 k);
      (void)c.read();
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  CHECK(code_of({0, 40, 64}) == 0);
  CHECK(code_of({0, 0, 64}) == 0);
  if (gpu_machine::is_asked()) return;
  CHECK(code_of({0, 40, 39}) == 464);
  CHECK(code_of({0xffffff81, 0xffffff81, 0xffffff81}) == 464);
}

TEST_CASE("several results: scaled and added to what was there, the sums themselves, and sums of rows and columns") {
  constexpr auto many = gemm<tg::bf16, tg::scalar<float>, tg::scalar<float>, tg::inout2<tg::bf16, tg::multiple_of<8>>,
                             tg::out2<float, tg::multiple_of<4>>, tg::out2<float>, tg::out2<float>>(
      [](const auto& sum, const auto& at, auto alpha, auto beta, auto old, auto sums, auto row_sums, auto column_sums) {
        at.of_elements(sums) = sum;
        at.of_row_parts(row_sums) = tg::row_sum(sum);
        at.of_column_parts(column_sums) = tg::column_sum(sum);
        return alpha * sum + beta * tg::cast<float>(at.of_elements(old));
      });
  tg::device gpu;
  std::mt19937 random(random_seed());
  const unsigned m = 131, n = 257, k = 45, across = 3, down = 2;
  const auto a = make<tg::bf16>(m, k, random), b = make<tg::bf16>(k, n, random), old = make<tg::bf16>(m, n, random);
  tiles::on_device<tg::bf16> da(gpu, a), db(gpu, b), dc(gpu, tiles::matrix<tg::bf16>(m, n)), d_old(gpu, old);
  tiles::on_device<float> d_sums(gpu, tiles::matrix<float>(m, n)), d_rows(gpu, tiles::matrix<float>(across, m)),
      d_columns(gpu, tiles::matrix<float>(down, n));
  gpu.launch(many, gemm_grid(many, m, n), da.argument(), db.argument(), dc.argument(), m, n, k, 0.5f, 2.0f, d_old.argument(),
             d_sums.argument(), d_rows.argument(), d_columns.argument());
  const tiles::matrix<tg::bf16> c = dc.read();
  const tiles::matrix<float> sums = d_sums.read(), row_sums = d_rows.read(), column_sums = d_columns.read();
  const exact_product<gemm_options{}, tg::bf16> exact{a, b, n, k};
  tiles::excess excess;
  tiles::matrix<double> of_rows(across, m), of_columns(down, n), row_sizes(across, m), column_sizes(down, n);
  for (auto* x : {&of_rows, &of_columns, &row_sizes, &column_sizes})
    for (double& e : x->elements) e = 0;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned j = 0; j < n; ++j) {
      const auto [sum, size] = exact(0, 0, r, j);
      const double wanted = 0.5 * sum + 2.0 * old(r, j), bound = (k + 4) * 0x1p-23 * size;
      excess(sums(r, j), sum, bound);
      excess(c(r, j), wanted, 0x1p-8 * std::abs(wanted) + bound + 0x1p-22 * std::abs(old(r, j)));
      of_rows(j / 128, r) += sum, row_sizes(j / 128, r) += (k + 132) * 0x1p-23 * size;
      of_columns(r / 128, j) += sum, column_sizes(r / 128, j) += (k + 132) * 0x1p-23 * size;
    }
  for (unsigned p = 0; p < across; ++p)
    for (unsigned r = 0; r < m; ++r) excess(row_sums(p, r), of_rows(p, r), row_sizes(p, r));
  for (unsigned p = 0; p < down; ++p)
    for (unsigned j = 0; j < n; ++j) excess(column_sums(p, j), of_columns(p, j), column_sizes(p, j));
  CHECK(excess.worst <= 1);
}

TEST_CASE("the grid follows the options of the kernel, of variants too") {
  constexpr auto product = gemm<wide, tg::bf16>(gemm_sums);
  constexpr auto both = tg::choose_arch<90, 80>([](auto sm) { return gemm<wide, tg::bf16>(gemm_sums, sm); });
  for (const unsigned m : {1u, 128u, 129u, 1000u})
    for (const unsigned n : {1u, 256u, 257u, 1000u}) {
      const auto grid = gemm_grid(product, m, n), of_both = gemm_grid(both, m, n);
      CHECK(grid.extents[0] == (n + 255) / 256 * 4);
      CHECK(grid.extents[1] == (m + 511) / 512);
      CHECK(of_both.extents[0] == grid.extents[0]);
      CHECK(of_both.extents[1] == grid.extents[1]);
    }
}
TEST_CASE("products in parts of a batch are proved to keep apart") {
  const tg::kernel_analysis found = tg::analyze(gemm<batched_thirds, tg::bf16>(gemm_sums));
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.unknown().empty());
}
