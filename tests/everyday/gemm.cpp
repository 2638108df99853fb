// C = A * B^T of bf16 with sums of float, tiles of 128 x 128 x 64 and a ring of as many stages as shared memory has room
// for: 4 stages are 128 KB, 6 are 192 KB.
#include "checked.hpp"

#include <array>
#include <cmath>
#include <deque>
#include <vector>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace {

template <int Stages>
inline constexpr auto gemm =
    tg::kernel<"gemm">(tg::block<256>, [](auto block, tg::in2<tg::bf16, tg::multiple_of<8>> a,
                                          tg::in2<tg::bf16, tg::multiple_of<8>> b, tg::out2<float, tg::multiple_of<2>> c,
                                          tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      using sums = tg::accumulator<16, 8, float>;
      const auto warp = block.warp();
      const auto top = tg::let(block.index.y * 128_c), left = tg::let(block.index.x * 128_c);
      const auto row = tg::let(warp.index % 2_c * 64_c);
      const auto column = tg::let(warp.index / 2_c * 32_c);
      const auto parts = tg::let((k + 63u) / 64u);

      auto a_ring = tg::stages<tg::bf16, Stages>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      auto b_ring = tg::stages<tg::bf16, Stages>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
      const auto fetch = [&](const auto& part, const auto& slot) {
        tg::if_(part < parts, [&] {
          tg::copy_tile(block, a_ring.fill(slot), a, top, part * 64u, m, k);
          tg::copy_tile(block, b_ring.fill(slot), b, left, part * 64u, n, k);
        });
      };
      std::deque<sums> c_part;
      for (int i = 0; i < 16; ++i) c_part.emplace_back(0.0f);

      auto filled = tg::fill_groups<Stages - 1>([&](auto stage) { fetch(tg::let(parts * 0u + stage), stage); });
      auto rest = tg::for_groups(tg::range(parts), std::move(filled), [&](auto part, auto groups) {
        auto ready = groups.wait(tg::constant<Stages - 2>{});
        block.sync();
        const auto slot = part % tg::constant<Stages>{};
        const auto a_tile = a_ring.read(ready, slot);
        const auto b_tile = b_ring.read(ready, slot);
        const auto next = tg::let(part + tg::constant<Stages - 1>{});
        fetch(next, next % tg::constant<Stages>{});
        auto asked = ready.commit();
        tg::unroll<4>([&](auto step) {
          std::vector<tg::a_fragment<16, 16, tg::bf16>> left_parts;
          tg::unroll<4>([&](auto i) {
            left_parts.push_back(
                tg::load_fragment<tg::a_fragment<16, 16, tg::bf16>>(a_tile, row + i * 16_c, step * 16_c, warp.lane));
          });
          tg::unroll<4>([&](auto j) {
            const auto right =
                tg::load_fragment<tg::b_fragment<16, 8, tg::bf16>>(b_tile, column + j * 8_c, step * 16_c, warp.lane);
            for (std::size_t i = 0; i < 4; ++i) tg::mma(c_part[4 * i + j.value], left_parts[i], right);
          });
        });
        return asked;
      });
      (void)rest.wait();

      tg::unroll<16>([&](auto t) {
        constexpr tg::constant<t.value / 4 * 16> down{};
        constexpr tg::constant<t.value % 4 * 8> along{};
        tg::unroll<2>([&](auto pair) {
          const auto place = sums::place_of(warp.lane, pair * 2_c);
          const auto i = top + row + down + place.row;
          const auto j = left + column + along + place.column;
          const auto& own = c_part[t.value];
          tg::if_(i < m, [&] {
            tg::store_first(c.template vec<2>(i, j), tg::make_vec(own(pair * 2_c), own(pair * 2_c + 1_c)), n - tg::min(j, n));
          });
        });
      });
    });

template <int Stages> void check_gemm(std::size_t m, std::size_t n, std::size_t k) {
  CAPTURE(Stages);
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  checked_device on;
  const std::size_t leading = (k + 7) / 8 * 8;
  const auto ha = random_numbers<tg::bf16>(m * leading, -1, 1, 1), hb = random_numbers<tg::bf16>(n * leading, -1, 1, 2);
  const auto a = on.gpu.upload(ha), b = on.gpu.upload(hb);
  const std::size_t columns = (n + 1) / 2 * 2;
  auto c = on.gpu.upload(std::vector<float>(m * columns, -12345.0f));
  on.gpu.launch(gemm<Stages>, tg::grid((n + 127) / 128, (m + 127) / 128), tg::matrix(a, m, k, leading),
                tg::matrix(b, n, k, leading), tg::matrix(c, m, n, columns), m, n, k);
  const auto out = c.to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const double product =
            static_cast<double>(float(ha[i * leading + p])) * static_cast<double>(float(hb[j * leading + p]));
        sum += product;
        size += std::abs(product);
      }
      wrong += std::abs(out[i * columns + j] - sum) > 1e-6 * size + 1e-30;
    }
  for (std::size_t i = 0; i < m && columns != n; ++i) wrong += out[i * columns + n] != -12345.0f;
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("a GEMM of four stages, 128 KB of shared memory") {
  for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 1, 1}, {127, 129, 64}, {128, 128, 63}, {131, 67, 331}})
    check_gemm<4>(m, n, k);
}

TEST_CASE("a GEMM of six stages, 192 KB of shared memory") {
  for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 2, 65}, {129, 128, 449}}) check_gemm<6>(m, n, k);
}
