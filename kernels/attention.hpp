// o = softmax(scale * q * k^T) * v of each head, in one pass over the keys: sums are kept relative to the largest score
// so far, so that no score leaves the registers. After Dao, "FlashAttention-2", 2023.
//
//   a block of four warps        64 queries, or 128 where a head has 64 elements; a warp has 16 of each 64, a band
//   registers of a warp          the bands of q, and the sums for o
//   ring of three tiles          k, v, k, v, ... 64 rows each: one is read while the next two are on their way
#pragma once

#include <vector>

#include <kernels/attention_band.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/matrix/load_fragment.hpp>
#include <tg/dsl/matrix/wide_mma.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Rows of q and o are the positions of all sequences, one sequence after another, `queries` each; of k and v `keys`
/// each. Columns are the heads, HeadSize elements each; `group` heads of q share one of k and v. With `Causal` the last
/// query sees all keys, each one before it one less; a query that sees none gets zeros. Launch with `attention_grid`.
/// Requires: T is f16 or bf16, HeadSize 64 or 128; 0 < scale; rows * leading dimension < 2^32.
template <class T, int HeadSize, bool Causal>
inline constexpr auto attention = tg::kernel<"attention">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k,
                       tg::in2<T, tg::multiple_of<8>> v, tg::out2<T, tg::multiple_of<8>> o, tg::scalar<unsigned> queries,
                       tg::scalar<unsigned> keys, tg::scalar<unsigned> group, tg::scalar<float> scale) {
      using band_type = attention_band<T, HeadSize>;
      using sums = typename band_type::sums;
      constexpr int bands = 128 / HeadSize;
      constexpr int depth = HeadSize / 16;
      const auto warp = block.warp();
      const auto band_row = tg::let(warp.index * 16_c);
      const auto turn = tg::choose<Causal>(block.grid.x - 1_c - block.index.x, block.index.x);  // the longest first
      const auto first = tg::let(turn * tg::constant<64 * bands>{});
      const auto column = tg::let(block.index.y * tg::constant<HeadSize>{});
      const auto shared_column = tg::let(block.index.y / group * tg::constant<HeadSize>{});
      const auto factor = tg::let(scale * 0x1.715476p0f);
      const auto seen_by = [&](const auto& query) {
        return tg::choose<Causal>(tg::max(query + 1_c + keys, queries) - queries, keys.get());
      };
      const auto steps = tg::let((seen_by(tg::min(first + tg::constant<64 * bands>{}, queries) - 1_c) + 63_c) / 64_c);

      auto ring = tg::stages<T, 3>(tg::shape<64, HeadSize>, tg::swizzle < 3, 3, HeadSize == 64 ? 3 : 4 >);
      constexpr tg::constant<HeadSize / 8> pieces{};  // of 16 bytes; a lane takes the same one of some rows
      const auto own_row = tg::let(block.thread.x / pieces);
      const auto piece = tg::let(block.thread.x % pieces * 8_c);
      const auto rows_at = [](int n) { return tg::uniform<16>(16 * n); };
      const auto each_row = [&](const auto& top, auto body) {
        const auto begin = tg::let(top + own_row);
        // Multiples of whole periods of the swizzle: one type for all passes, so that each access is judged once.
        for (int pass = 0; pass < HeadSize / 16; ++pass) {
          const auto down = tg::uniform<128 / pieces.value>(pass * (128 / pieces.value));
          body(own_row + down, begin + down);
        }
      };
      const auto fetch = [&](auto stage, const auto& from, const auto& top, const auto& left, const auto& length) {
        const auto sequence = tg::let(block.index.z * length);
        const auto end = tg::let(sequence + length);
        each_row(sequence + top, [&](auto row, auto position) {
          tg::async_copy_or_zero(ring.fill(stage).template vec<8>(row, piece), from.template vec<8>(position, left + piece),
                                 position < end);
        });
      };

      tg::fixed_array<band_type, bands> held;
      tg::async_groups start;
      tg::unroll<bands>([&](auto b) { fetch(b + 1_c, q, first + b * 64_c, column, queries); });
      auto asked = start.commit();
      fetch(0_c, k, 0_c, shared_column, keys);
      auto landed = asked.commit().wait(1_c);
      block.sync();
      tg::unroll<bands>([&](auto b) {
        const auto tile = ring.read(landed, b + 1_c);
        for (int d = 0; d < HeadSize; d += 16)
          held[b.value].query.push_back(tg::load_fragment<typename band_type::operand>(tile, band_row, d, warp.lane));
      });
      block.sync();
      fetch(1_c, v, 0_c, shared_column, keys);

      auto rest = tg::for_groups(tg::range(steps), landed.commit(), [&](auto step, auto groups) {
        const auto begin = tg::let(step * 64_c);
        const auto fetch_next = [&](auto stage, const auto& from) {
          tg::if_(step + 1_c < steps, [&] { fetch(stage % 3_c, from, begin + 64_c, shared_column, keys); });
        };
        auto keys_landed = groups.wait(1_c);
        block.sync();
        const auto key_tile = ring.read(keys_landed, step * 2_c % 3_c);
        fetch_next(step * 2_c + 2_c, k);
        auto keys_asked = keys_landed.commit();
        for (auto& own : held) own.score = band_type::zeros(4);
        tg::unroll<depth>([&](auto d) {
          for (int n = 0; n < 4; ++n) {
            const auto part = tg::load_fragment<tg::b_fragment<16, 16, T>>(key_tile, rows_at(n), d * 16_c, warp.lane);
            for (auto& own : held) tg::mma(own.score[n], own.query[d.value], part);
          }
        });

        tg::unroll<bands>([&](auto b) {
          auto& band = held[b.value];
          const auto top = tg::let(first + b * 64_c + band_row);
          tg::if_(seen_by(top) < begin + 64_c, [&] {
            const auto own = sums::place_of(warp.lane, 0_c);
            const auto left_of = [&](int down) {  // how many keys are seen from the lane's first one on
              return tg::let(tg::cast<int>(seen_by(top + own.row + down)) - tg::cast<int>(begin + own.column));
            };
            const tg::fixed_array left{left_of(0), left_of(8)};
            for (int n = 0; n < 4; ++n)
              for (int i = 0; i < sums::registers; ++i) {
                auto& s = band.score[n](i);
                s = tg::select(left[band_type::row_of(i)] > n * 16 + sums::place(0, i).column, s, -tg::infinity<float>);
              }
          });
          band.weigh(warp, factor);
        });

        auto values_landed = keys_asked.wait(1_c);
        block.sync();
        const auto value_tile = ring.read(values_landed, (step * 2_c + 1_c) % 3_c);
        fetch_next(step * 2_c + 3_c, v);
        auto values_asked = values_landed.commit();
        for (int n = 0; n < 4; ++n) {
          std::vector<typename band_type::operand> weights;
          for (const auto& own : held) weights.push_back(tg::to_operand<T>(own.score[n]));
          tg::unroll<depth>([&](auto d) {
            const auto part =
                tg::load_fragment_transposed<tg::b_fragment<16, 16, T>>(value_tile, rows_at(n), d * 16_c, warp.lane);
            for (std::size_t b = 0; b < bands; ++b) tg::mma(held[b].out[d.value], weights[b], part);
          });
        }
        return values_asked;
      });

      auto done = rest.wait();
      block.sync();
      tg::unroll<bands>([&](auto b) {
        held[b.value].finish(warp);
        tg::unroll<HeadSize / 4>([&](auto pair) {  // two neighbours of the band's rows at a time
          constexpr tg::constant<pair.value % 4 * 2> i{};
          const auto& values = held[b.value].out[pair.value / 4];
          const auto place = sums::place_of(warp.lane, i);
          ring.fill(b).template vec<2>(band_row + place.row, tg::constant<pair.value / 4 * 16>{} + place.column) =
              tg::cast<T>(tg::make_vec(values(i), values(i + 1_c)));
        });
      });
      block.sync();
      tg::unroll<bands>([&](auto b) {
        each_row(first + b * 64_c, [&](auto row, auto query) {
          tg::if_(query < queries, [&] {
            o.template vec<8>(block.index.z * queries + query, column + piece) = ring.read(done, b).template vec<8>(row, piece);
          });
        });
      });
    });

/// Blocks for `batch` sequences of `queries` positions and `heads` heads of q.
template <int HeadSize>
constexpr auto attention_grid(unsigned queries, unsigned heads, unsigned batch,
                              source_location where = source_location::current()) {
  constexpr unsigned height = 64 * 128 / HeadSize;
  return tg::grid((queries + height - 1) / height, heads, batch, where);
}

}  // namespace tg::kernels
