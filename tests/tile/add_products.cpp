// tg::add_products: a pipeline whose products overlap.
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/tile/pipeline.hpp>

#include "tiles.hpp"

#include <string>

namespace {

using namespace tg::literals;
using T = tg::bf16;
using view = tg::in2<T, tg::multiple_of<8>>;

/// y = a * b by tiles of 128 x 64; with `IsCast`, a comes to the product in registers.
template <int Sm, bool IsCast>
constexpr auto product = tg::kernel<"product">(
    tg::block<128> | tg::for_sm<Sm>, [](auto block, view a, view b, tg::out2<float, tg::multiple_of<4>> y,
                                        tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto row = tg::let(block.index.y * 128_c);
      const auto column = tg::let(block.index.x * 64_c);
      auto sum = tg::zeros<float, 128, 64>(block);
      tg::add_products<3>(
          block, sum, tg::steps(k, 64_c),
          [&](auto at) {
            return tg::stage(tg::tile_at<128, 64>(tg::sized(a, m, k), row, at),
                             tg::tile_at<64, 64>(tg::sized(b, k, n), at, column));
          },
          [](auto left, auto right) {
            if constexpr (IsCast)
              return tg::dot(tg::cast<T>(tg::cast<float>(tg::tile_at<128, 64>(left, 0_c, 0_c)) * 2.0f), right);
            else return tg::dot(left, right);
          });
      tg::tile_at<128, 64>(tg::sized(y, m, n), row, column) = sum;
    });

template <int Sm, bool IsCast> double check(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  std::mt19937 random(m + n + k);
  const tiles::matrix<T> a(m, k, random), b(k, n, random);
  tiles::on_device<T> da(gpu, k == 0 ? tiles::matrix<T>(m, 8) : a), db(gpu, k == 0 ? tiles::matrix<T>(8, n) : b);
  tiles::on_device<float> dy(gpu, tiles::matrix<float>(m, n, 4));
  gpu.launch(product<Sm, IsCast>, tg::grid((n + 63) / 64, (m + 127) / 128), da.argument(), db.argument(), dy.argument(), m, n,
             k);
  const tiles::matrix<float> y = dy.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < n; ++c) {
      double sum = 0, size = 0;
      for (unsigned d = 0; d < k; ++d) sum += a(r, d) * b(d, c), size += std::abs(a(r, d) * b(d, c));
      excess(y(r, c), (IsCast ? 2 : 1) * sum, (IsCast ? 2 : 1) * k * 0x1p-23 * size);
    }
  return excess.worst;
}

template <int Sm, bool IsCast> void check_all() {
  CAPTURE(Sm);
  CHECK(check<Sm, IsCast>(128, 64, 64) <= 1);
  CHECK(check<Sm, IsCast>(1, 1, 1) <= 1);
  CHECK(check<Sm, IsCast>(129, 65, 127) <= 1);
  CHECK(check<Sm, IsCast>(131, 67, 449) <= 1);
  CHECK(check<Sm, IsCast>(64, 64, 0) <= 1);
}

bool overlaps(const std::string& text) { return text.find("wgmma.wait_group.sync.aligned 1;") != text.npos; }

}  // namespace

TEST_CASE("sums of products that overlap are right") {
  check_all<80, false>();
  check_all<80, true>();
  check_all<90, false>();
  check_all<90, true>();
}

TEST_CASE("a product is under way while the next stage is waited for, unless its left operand is in registers") {
  CHECK(overlaps(tg::to_ptx(product<90, false>)));
  CHECK_FALSE(overlaps(tg::to_ptx(product<90, true>)));
  CHECK_FALSE(overlaps(tg::to_ptx(product<80, false>)));
}

TEST_CASE("overlapping products are proved free of races") {
  for (const tg::kernel_analysis& found : {tg::analyze(product<80, false>), tg::analyze(product<90, false>)}) {
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.unknown().empty());
  }
}
