#include <tg/tile/reduce.hpp>

#include <algorithm>

#include <tg/dsl/value/var.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;
using view = tg::in2<float, tg::multiple_of<8>>;
using out_view = tg::out2<float, tg::multiple_of<8>>;

/// Each element becomes that of its row's and its column's reductions. Rows x Columns decide how warps share them.
template <int Rows, int Columns, int Threads>
constexpr auto reductions = tg::kernel<"reductions">(
    tg::block<Threads>, [](auto block, view x, out_view y, tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      tg::for_(tg::range(2_c), [&](auto) {  // shared memory is used again in the second round
        const auto own = tg::load(block, tg::tile_at<Rows, Columns>(tg::sized(x, m, n), 0_c, 0_c));
        const auto rows = tg::eval(tg::row_sum(own) + tg::row_max(own) - tg::row_min(own));
        const auto columns = tg::eval(tg::column_sum(own * 2.0f) + tg::column_max(own) - tg::column_min(own));
        tg::tile_at<Rows, Columns>(tg::sized(y, m, n), 0_c, 0_c) = own * 0.0f + rows + columns;
      });
    });

template <int Rows, int Columns, int Threads> double check_reductions() {
  tg::device gpu;
  std::mt19937 random(11);
  tiles::excess excess;
  for (const auto& size : {std::pair<unsigned, unsigned>{Rows, Columns}, {Rows, Columns - 1}, {1, 1}}) {
    const unsigned m = size.first;
    const unsigned n = size.second;

    const tiles::matrix<float> x(m, n, random);
    tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(m, n));
    gpu.launch(reductions<Rows, Columns, Threads>, tg::grid(1), dx.argument(), dy.argument(), m, n);
    const tiles::matrix<float> y = dy.read();
    // Outside of the matrix there are zeros.
    const auto at = [&](int r, int c) { return r < int(m) && c < int(n) ? x(unsigned(r), unsigned(c)) : 0.0; };
    for (unsigned r = 0; r < m; ++r)
      for (unsigned c = 0; c < n; ++c) {
        double sum = 0, columns = 0, size = 0;
        double largest = -1e9, smallest = 1e9, column_largest = -1e9, column_smallest = 1e9;
        for (int k = 0; k < Columns; ++k) {
          sum += at(int(r), k), size += std::abs(at(int(r), k));
          largest = std::max(largest, at(int(r), k)), smallest = std::min(smallest, at(int(r), k));
        }
        for (int k = 0; k < Rows; ++k) {
          columns += 2 * at(k, int(c)), size += std::abs(at(k, int(c)));
          column_largest = std::max(column_largest, at(k, int(c))), column_smallest = std::min(column_smallest, at(k, int(c)));
        }
        excess(y(r, c), sum + largest - smallest + columns + column_largest - column_smallest, 1e-6 * (size + 8));
      }
  }
  return excess.worst;
}

}  // namespace

namespace {

/// Each element becomes the sum of its row, twice: partial sums of two rounds, added up behind them.
template <int Rows, int Columns, int Threads>
constexpr auto partial_sums = tg::kernel<"partial_sums">(
    tg::block<Threads>, [](auto block, view x, out_view y, tg::scalar<unsigned> m, tg::scalar<unsigned> n) {
      const auto own = tg::load(block, tg::tile_at<Rows, Columns>(tg::sized(x, m, n), 0_c, 0_c));
      auto sums = tg::full_partial_row_sums(own, 0.0f);
      tg::for_(tg::range(2_c), [&](auto) { sums += tg::partial_row_sums(own) * tg::row_max(own * 0.0f + 1.0f); });
      const auto total = tg::row_sum(sums);
      tg::tile_at<Rows, Columns>(tg::sized(y, m, n), 0_c, 0_c) = own * 0.0f + total;
    });

template <int Rows, int Columns, int Threads> double check_partial_sums() {
  tg::device gpu;
  std::mt19937 random(12);
  tiles::excess excess;
  const tiles::matrix<float> x(Rows, Columns, random);
  tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(Rows, Columns));
  gpu.launch(partial_sums<Rows, Columns, Threads>, tg::grid(1), dx.argument(), dy.argument(), unsigned{Rows},
             unsigned{Columns});
  const tiles::matrix<float> y = dy.read();
  for (unsigned r = 0; r < Rows; ++r) {
    double sum = 0, size = 0;
    for (unsigned k = 0; k < Columns; ++k) sum += 2 * double(x(r, k)), size += std::abs(double(x(r, k)));
    for (unsigned c = 0; c < Columns; ++c) excess(y(r, c), sum, 1e-6 * (size + 8));
  }
  return excess.worst;
}

}  // namespace

TEST_CASE("partial sums of rows add up to the sums, whoever holds the parts") {
  CHECK(check_partial_sums<4, 128, 128>() <= 1);
  CHECK(check_partial_sums<1, 1024, 128>() <= 1);  // parts in all warps
  CHECK(check_partial_sums<2, 512, 256>() <= 1);
  CHECK(check_partial_sums<64, 8, 128>() <= 1);  // a thread has a whole row
}

TEST_CASE("rows and columns are reduced in registers, across lanes and across warps") {
  CHECK(check_reductions<4, 128, 128>() <= 1);   // a row in each warp
  CHECK(check_reductions<1, 1024, 128>() <= 1);  // a row across all warps
  CHECK(check_reductions<2, 512, 256>() <= 1);   // rows across four of eight warps
  CHECK(check_reductions<64, 8, 128>() <= 1);    // several rows in a warp
  CHECK(check_reductions<32, 64, 64>() <= 1);
}

namespace {

/// Each element plus the sum of all; and the largest of each row, by a function that gives a variable.
constexpr auto totals = tg::kernel<"totals">(tg::block<128>, [](auto block, view x, out_view y, out_view largest) {
  const auto of = [](const auto& all) { return tg::tile_at<32, 64>(tg::sized(all, 32u, 64u), 0_c, 0_c); };
  const auto own = tg::load(block, of(x));
  of(y) = own + tg::row_sum(tg::column_sum(own));
  of(largest) = own * 0.0f + tg::reduce<tg::axis::row>(own, [](auto a, auto b) {
                  tg::var<float> out = a;
                  tg::if_(b > a, [&] { out = b; });
                  return out;
                });
});

}  // namespace

TEST_CASE("a tile that is reduced to one element stands for all, and functions may give variables") {
  tg::device gpu;
  tiles::matrix<float> x(32, 64);
  double sum = 0;
  for (unsigned k = 0; k < 32 * 64; ++k) sum += x.elements[k] = static_cast<float>(k * 37 % 101);
  tiles::on_device<float> dx(gpu, x), dy(gpu, tiles::matrix<float>(32, 64)), dl(gpu, tiles::matrix<float>(32, 64));
  gpu.launch(totals, tg::grid(1), dx.argument(), dy.argument(), dl.argument());
  const tiles::matrix<float> y = dy.read(), largest = dl.read(), from = x;
  unsigned wrong = 0;
  for (unsigned r = 0; r < 32; ++r) {
    double peak = 0;
    for (unsigned c = 0; c < 64; ++c) peak = std::max(peak, from(r, c));
    for (unsigned c = 0; c < 64; ++c) wrong += y(r, c) != from(r, c) + sum || largest(r, c) != peak;
  }
  CHECK(wrong == 0);
}
