#include <tg/tile/fma_product.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<4>>;

/// y = a * b in float arithmetic, of any extents. Each operand may lie transposed in memory.
template <bool IsATransposed, bool IsBTransposed>
constexpr auto product = tg::kernel<"product">(tg::block<256> | tg::min_blocks<2>,
                                               [](auto block, view a, view b, tg::out2<float, tg::multiple_of<4>> y,
                                                  tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
                                                 constexpr tg::constant<IsBTransposed ? 32 : 16> step{};
                                                 constexpr int depth = step.value;
                                                 const auto row = tg::let(block.index.y * 128_c);
                                                 const auto column = tg::let(block.index.x * 128_c);
                                                 auto sum = tg::zeros<float, 128, 128>(tg::warps<4, 2, tg::cuda_cores>(block));
                                                 tg::pipeline<2>(
                                                     block, tg::steps(k, step),
                                                     [&](auto at) {
                                                       const auto left = [&] {
                                                         if constexpr (IsATransposed)
                                                           return tg::tile_at<depth, 128>(tg::sized(a, k, m), at, row);
                                                         else return tg::tile_at<128, depth>(tg::sized(a, m, k), row, at);
                                                       }();
                                                       const auto right = [&] {
                                                         if constexpr (IsBTransposed)
                                                           return tg::tile_at<128, depth>(tg::sized(b, n, k), column, at);
                                                         else return tg::tile_at<depth, 128>(tg::sized(b, k, n), at, column);
                                                       }();
                                                       return tg::stage(left, right);
                                                     },
                                                     [&](auto left, auto right) {
                                                       if constexpr (IsATransposed && IsBTransposed)
                                                         sum += tg::dot(tg::transposed(left), tg::transposed(right));
                                                       else if constexpr (IsATransposed)
                                                         sum += tg::dot(tg::transposed(left), right);
                                                       else if constexpr (IsBTransposed)
                                                         sum += tg::dot(left, tg::transposed(right));
                                                       else sum += tg::dot(left, right);
                                                     });
                                                 tg::tile_at<128, 128>(tg::sized(y, m, n), row, column) = sum;
                                               });

/// The largest error beside its bound: k roundings of sums and products.
template <bool IsATransposed, bool IsBTransposed> double check_product(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  std::mt19937 random(m * 7919 + n * 31 + k);
  using matrix = tiles::matrix<float>;
  const auto make = [&](bool is_transposed, unsigned rows, unsigned columns) {
    return is_transposed ? matrix(columns, rows, random, 4) : matrix(rows, columns, random, 4);
  };
  const matrix a = make(IsATransposed, m, k), b = make(IsBTransposed, k, n);
  tiles::on_device<float> on_a(gpu, a), on_b(gpu, b), on_y(gpu, matrix(m, n, 4));
  gpu.launch(product<IsATransposed, IsBTransposed>, tg::grid((n + 127) / 128, (m + 127) / 128), on_a.argument(),
             on_b.argument(), on_y.argument(), m, n, k);
  const matrix y = on_y.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double sum = 0, size = 0;
      for (unsigned i = 0; i < k; ++i) {
        const double p = (IsATransposed ? a(i, r) : a(r, i)) * (IsBTransposed ? b(c, i) : b(i, c));
        sum += p, size += std::abs(p);
      }
      excess(y(r, c), sum, k * 0x1p-24 * size);
    }
  return excess.worst;
}

}  // namespace

TEST_CASE("products of floats, with operands as they lie and transposed, of odd extents") {
  CHECK(check_product<false, false>(128, 128, 16) <= 1);
  CHECK(check_product<false, false>(129, 127, 37) <= 1);
  CHECK(check_product<false, false>(1, 1, 1) <= 1);
  CHECK(check_product<false, true>(67, 131, 61) <= 1);
  CHECK(check_product<true, false>(131, 67, 31) <= 1);
  CHECK(check_product<true, true>(127, 5, 17) <= 1);
}

TEST_CASE("the bound of products of floats finds one that is rounded to tf32") {
  tiles::excess excess;
  excess(1.0 + 0x1p-11, 1.0, 16 * 0x1p-24);
  CHECK(excess.worst > 1);
}
