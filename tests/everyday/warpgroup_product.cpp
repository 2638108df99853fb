// C = A * B of bf16 by the tensor cores of sm_90: one tile of 64 x 64 x 64, and sums over any depth with a ring of tiles that
// asynchronous copies fill while a product is under way.
#include "checked.hpp"

#include <cmath>
#include <vector>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

inline constexpr auto square =
    tg::kernel<"square">(tg::block<128>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> a,
                                            tg::in2<tg::bf16, tg::multiple_of<8>> b, tg::out2<float, tg::multiple_of<2>> c) {
      auto a_tile = tg::shared<tg::bf16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
      auto b_tile = tg::shared<tg::bf16>(tg::shape<64, 64>, tg::swizzle<3, 3, 3>);
      tg::unroll<4>([&](auto part) {
        const auto row = block.thread.x / 8_c + part * 16_c;
        const auto column = block.thread.x % 8_c * 8_c;
        a_tile.template vec<8>(row, column) = a.template vec<8>(row, column);
        b_tile.template vec<8>(row, column) = b.template vec<8>(row, column);
      });
      tg::fence_async_proxy();
      block.sync();

      tg::group_accumulator<64, 64, float> sum;
      const auto product = tg::wgmma(std::move(sum), tg::k_major(a_tile), tg::mn_major(b_tile), false).wait();
      tg::unroll<16>([&](auto pair) {
        const auto at = product.place_of(block.warpgroup().thread, pair * 2_c);
        c.template vec<2>(at.row, at.column) = product.template vec<2>(pair * 2_c);
      });
    });

// C = A * B^T; a block of two warpgroups makes 128 x 128 elements, each warpgroup 64 rows.
inline constexpr auto deep =
    tg::kernel<"deep">(tg::block<256>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> a,
                                          tg::in2<tg::bf16, tg::multiple_of<8>> b, tg::out2<float, tg::multiple_of<2>> c,
                                          tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto group = block.warpgroup();
      const auto top = tg::let(block.index.y * 128_c);
      const auto left = tg::let(block.index.x * 128_c);
      const auto parts = tg::let((k + 63u) / 64u);
      auto a_ring = tg::stages<tg::bf16, 3>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      auto b_ring = tg::stages<tg::bf16, 3>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      const auto fetch = [&](const auto& part, const auto& slot) {
        tg::if_(part < parts, [&] {
          tg::copy_tile(block, a_ring.fill(slot), a, top, part * 64u, m, k);
          tg::copy_tile(block, b_ring.fill(slot), b, left, part * 64u, n, k);
        });
      };

      tg::group_accumulator<64, 128, float> sum = 0.0f;
      auto filled = tg::fill_groups<2>([&](auto stage) { fetch(tg::let(parts * 0u + stage), stage); });
      auto rest = tg::for_groups(tg::range(parts), std::move(filled), [&](auto part, auto groups) {
        auto ready = groups.wait(1_c);
        tg::fence_async_proxy();
        block.sync();
        const auto slot = part % 3_c;
        const auto rows = tg::k_major(a_ring.read(ready, slot)).part(64_c, group.index);
        auto under_way = tg::wgmma(std::move(sum), rows, tg::k_major(b_ring.read(ready, slot)));
        const auto next = tg::let(part + 2_c);
        fetch(next, next % 3_c);
        sum = under_way.wait();
        return ready.commit();
      });
      (void)rest.wait();

      tg::unroll<32>([&](auto pair) {
        const auto at = sum.place_of(group.thread, pair * 2_c);
        const auto i = top + group.index * 64_c + at.row;
        const auto j = left + at.column;
        tg::if_(i < m, [&] { tg::store_first(c.template vec<2>(i, j), sum.template vec<2>(pair * 2_c), n - tg::min(j, n)); });
      });
    });

/// Whether C is A * B, where B is k x n if `by_rows`, else n x k.
void check(const std::vector<float>& c, const std::vector<tg::bf16>& a, const std::vector<tg::bf16>& b, std::size_t m,
           std::size_t n, std::size_t k, std::size_t leading, std::size_t columns, bool by_rows) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const auto right = static_cast<double>(float(by_rows ? b[p * leading + j] : b[j * leading + p]));
        const double product = static_cast<double>(float(a[i * leading + p])) * right;
        sum += product;
        size += std::abs(product);
      }
      wrong += std::abs(c[i * columns + j] - sum) > 1e-6 * size + 1e-30;
    }
  CHECK(wrong == 0);
}

void check_deep(std::size_t m, std::size_t n, std::size_t k) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  checked_device on;
  const std::size_t leading = (k + 7) / 8 * 8, columns = (n + 1) / 2 * 2;
  const auto a = random_numbers<tg::bf16>(m * leading, -1, 1, 1), b = random_numbers<tg::bf16>(n * leading, -1, 1, 2);
  const auto da = on.gpu.upload(a), db = on.gpu.upload(b);
  auto c = on.gpu.upload(std::vector<float>(m * columns, -12345.0f));
  on.gpu.launch(deep, tg::grid((n + 127) / 128, (m + 127) / 128), tg::matrix(da, m, k, leading), tg::matrix(db, n, k, leading),
                tg::matrix(c, m, n, columns), m, n, k);
  check(c.to_host(), a, b, m, n, k, leading, columns, false);
}

}  // namespace

TEST_CASE("a product of 64 x 64 x 64 from swizzled tiles") {
  checked_device on;
  const auto a = random_numbers<tg::bf16>(64 * 64, -1, 1, 1), b = random_numbers<tg::bf16>(64 * 64, -1, 1, 2);
  const auto da = on.gpu.upload(a), db = on.gpu.upload(b);
  auto c = on.gpu.upload(std::vector<float>(64 * 64, -12345.0f));
  on.gpu.launch(square, tg::grid(1), tg::matrix(da, 64, 64), tg::matrix(db, 64, 64), tg::matrix(c, 64, 64));
  check(c.to_host(), a, b, 64, 64, 64, 64, 64, true);
}

TEST_CASE("a GEMM of two warpgroups over any depth") {
  check_deep(1, 1, 1);
  check_deep(129, 67, 65);
  check_deep(128, 130, 331);
}
