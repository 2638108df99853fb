#include <tg/dsl/matrix/load_fragment.hpp>

#include <set>

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/matrix/mma.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

using a = tg::a_fragment<16, 16, tg::bf16>;
using b = tg::b_fragment<16, 8, tg::bf16>;

/// x: 16 rows of A, then B, 16 halves of 16 or 8 each, two in a word; y: A x B, or, where B's columns are rows, the same.
template <bool ColumnsAreRows> std::vector<float> product(const std::vector<unsigned>& x) {
  const auto kernel =
      tg::kernel<"tiles">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<float> y, tg::scalar<unsigned>) {
        const auto lane = block.warp().lane;
        const auto put = [&](const auto& tile, auto first, auto count, auto columns) {
          for (unsigned i = 0; i < static_cast<unsigned>(count) / 32; ++i) {
            const auto word = tg::let(x(block.thread.x + (static_cast<unsigned>(first) + 32u * i)));
            const auto at = tg::let(block.thread.x + 32u * i);
            const auto row = at / (columns / 2_c);
            const auto column = at % (columns / 2_c) * 2_c;
            tile(row, column, tg::allow<tg::TG201>("filled once")) = tg::cast<unsigned short>(word & 0xffffu);
            tile(row, column + 1_c, tg::allow<tg::TG201>("filled once")) = tg::cast<unsigned short>(word >> 16);
          }
        };
        auto left = tg::shared<unsigned short>(tg::shape<16, 16>, tg::pitch<24>);
        put(left, 0_c, 128_c, 16_c);
        constexpr tg::constant<ColumnsAreRows ? 8 : 16> rows{};
        constexpr tg::constant<ColumnsAreRows ? 16 : 8> columns{};
        auto right = tg::shared<unsigned short>(tg::shape<rows.value, columns.value>, tg::pitch<24>);
        put(right, 128_c, 64_c, columns);
        block.sync();
        const auto of_a = tg::load_fragment<a>(left, 0_c, 0_c, lane);
        const auto of_b = [&] {
          if constexpr (ColumnsAreRows) return tg::load_fragment<b>(right, 0_c, 0_c, lane);
          else return tg::load_fragment_transposed<b>(right, 0_c, 0_c, lane);
        }();
        tg::accumulator<16, 8, float> sums = 0.0f;
        tg::mma(sums, of_a, of_b);
        for (int r = 0; r < 4; ++r) y(block.thread.x + static_cast<unsigned>(32 * r)) = sums(r);
      });
  std::vector<float> y(128);
  accuracy::run(tg::lower(kernel).ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, 32);
  return y;
}

double element(int row, int column) { return (row * 7 + column * 3) % 11 - 5; }

}  // namespace

TEST_CASE("fragments from tiles give the product") {
  using c = tg::accumulator<16, 8, float>;
  const auto half = [](double x) { return static_cast<unsigned>(tg::bf16(x).bits); };
  std::vector<unsigned> by_rows(192), by_columns(192);
  for (int i = 0; i < 128; ++i)
    by_rows[static_cast<std::size_t>(i)] = by_columns[static_cast<std::size_t>(i)] =
        half(element(i / 8, i % 8 * 2)) | half(element(i / 8, i % 8 * 2 + 1)) << 16;
  for (int i = 0; i < 64; ++i) {
    by_rows[static_cast<std::size_t>(128 + i)] = half(element(i / 4, i % 4 * 2)) | half(element(i / 4, i % 4 * 2 + 1)) << 16;
    by_columns[static_cast<std::size_t>(128 + i)] = half(element(i % 8 * 2, i / 8)) | half(element(i % 8 * 2 + 1, i / 8)) << 16;
  }
  const auto plain = product<false>(by_rows), transposed = product<true>(by_columns);
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < c::elements; ++e) {
      const auto [row, column] = c::place(lane, e);
      double sum = 0;
      for (int k = 0; k < 16; ++k) sum += element(row, k) * element(k, column);
      CHECK(plain[static_cast<std::size_t>(32 * e + lane)] == sum);
      CHECK(transposed[static_cast<std::size_t>(32 * e + lane)] == sum);
    }
}

TEST_CASE("fragments of a swizzled tile share an address for each column, and cost what they did") {
  const auto lowered =
      tg::lower(tg::kernel<"columns">(tg::block<128>, [](auto block, tg::out<unsigned> y, tg::scalar<unsigned> n) {
        const auto lane = block.warp().lane;
        auto tile = tg::shared<tg::bf16>(tg::shape<128, 64>, tg::swizzle<3, 3, 3>);
        tg::for_(tg::range(n), [&](auto half) {
          tg::unroll<4>([&](auto row) {
            tg::unroll<4>([&](auto column) {
              const auto place = half * 64_c + row * 16_c;
              const auto plain = tg::load_fragment<a>(tile, place, column * 16_c, lane);
              const auto other =
                  tg::load_fragment_transposed<tg::b_fragment<16, 16, tg::bf16>>(tile, place, column * 16_c, lane);
              y(block.thread.x) = plain(0) + other(0);
            });
          });
        });
      }));
  std::size_t loads = 0, twists = 0;
  std::set<std::uint32_t> addresses;
  for (const auto& i : lowered.module.functions.front().body) {
    twists += i.op == tg::ptx::opcode::xor_ ? 1 : 0;
    if (i.op != tg::ptx::opcode::ldmatrix) continue;
    ++loads;
    addresses.insert(i[1].id);
    CHECK(lowered.accesses[i.access].shared.wavefronts == 4);
  }
  CHECK(loads == 32);
  CHECK(addresses.size() == 4);
  CHECK(twists == 4);  // one for the lanes, one for each further column
}
