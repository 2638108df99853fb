// o = softmax(scale * q * k^T) * v of each head in one pass over the keys, written with tiles. After Dao, "FlashAttention-2",
// 2023. Of the scores, the largest so far of each row stays; what was summed shrinks when it grows.
#pragma once

#include <limits>

#include <tg/dsl.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Queries of a block.
template <int HeadSize> inline constexpr int attention_height = HeadSize <= 64 ? 128 : 64;

/// Rows of q and o are the positions of all sequences, one sequence after another, `queries` each; of k and v `keys` each.
/// Columns are the heads, HeadSize elements each; `group` heads of q share one of k and v. With `Causal` the last query sees
/// all keys, each one before it one less; a query that sees none gets zeros. Launch with `attention_tiles_grid<HeadSize>`.
/// `Sm`: the architecture, 80 or 90. Requires: T is f16 or bf16, HeadSize 64 or 128; 0 < scale; queries and keys are below
/// 2^31 - 128.
template <class T, int HeadSize, bool Causal, int Sm = 80>
inline constexpr auto attention_tiles = tg::kernel<"attention_tiles">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k, tg::in2<T, tg::multiple_of<8>> v,
       tg::out2<T, tg::multiple_of<8>> o, tg::scalar<unsigned> queries, tg::scalar<unsigned> keys, tg::scalar<unsigned> group,
       tg::scalar<float> scale) {
      constexpr int height = attention_height<HeadSize>;
      constexpr tg::constant<HeadSize> size{};
      const auto turn = tg::choose<Causal>(block.grid.x - 1_c - block.index.x, block.index.x);  // the longest first
      const auto first = tg::let(turn * tg::constant<height>{});
      const auto begin = tg::let(block.index.z * queries);
      const auto key_begin = tg::let(block.index.z * keys);
      const auto head = tg::let(block.index.y * size);
      const auto key_head = tg::let(block.index.y / group * size);
      const auto rows_of = [&](const auto& view) {
        return tg::tile_at<height, HeadSize>(tg::sized(view, begin + queries, head + size), begin + first, head);
      };
      const auto keys_of = [&](const auto& view, const auto& from) {
        return tg::tile_at<64, HeadSize>(tg::sized(view, key_begin + keys, key_head + size), key_begin + from, key_head);
      };
      const auto seen_by = [&](const auto& query) {  // how many keys
        return tg::choose<Causal>(tg::max(query + 1u + keys, queries) - queries, keys.get());
      };
      const auto factor = tg::let(scale * 0x1.715476p0f);  // 2 to the scores

      const auto query = tg::in_registers(block, tg::to_shared(block, rows_of(q)));
      auto out = tg::zeros<float, height, HeadSize>(block);
      auto peak = tg::full_per_row(out, std::numeric_limits<float>::lowest());
      auto total = tg::full_per_row(out, 0.0f);
      tg::pipeline<2>(
          block, tg::steps(seen_by(tg::min(first + tg::constant<height>{}, queries) - 1_c), 64_c),
          [&](auto j) { return tg::stage(keys_of(k, j), keys_of(v, j)); },
          [&](auto key, auto values, auto j) {
            auto score = tg::zeros<float, height, 64>(block);
            score += tg::dot(query, tg::transposed(key));
            tg::if_(seen_by(first) < j + 64u, [&] {
              const auto seen = tg::map(seen_by, tg::rows_of(score, first));
              score = tg::where(tg::columns_of(score, j) < seen, score, -std::numeric_limits<float>::infinity());
            });
            const auto top = tg::eval(tg::max(peak, tg::row_max(score) * factor));
            const auto weight = tg::eval(tg::approx::exp2_ftz(tg::fma(score, factor, -top)));
            const auto shrink = tg::eval(tg::approx::exp2_ftz(peak - top));
            tg::if_(tg::any_in_warp(shrink < 1.0f), [&] { out = out * shrink; });
            total = total * shrink + tg::row_sum(weight);
            out += tg::dot(tg::cast<T>(weight), values);
            peak = top;
          });
      rows_of(o) = tg::cast<T>(out * tg::where(total == 0.0f, 0.0f, tg::approx::rcp(total)));
    });

/// Blocks for `batch` sequences of `queries` positions and `heads` heads of q.
template <int HeadSize>
constexpr auto attention_tiles_grid(unsigned queries, unsigned heads, unsigned batch,
                                    source_location where = source_location::current()) {
  constexpr unsigned height = attention_height<HeadSize>;
  return tg::grid((queries + height - 1) / height, heads, batch, where);
}

}  // namespace tg::kernels
