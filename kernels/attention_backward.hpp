// Gradients of attention: dq, dk and dv from q, k, v, o, the logarithms of the sums that the forward kernel leaves, and the
// gradient of o. After Dao, "FlashAttention-2", 2023: scores are computed again, once for the rows of dq and once for those of
// dk and dv, so that each result has one writer and sums come out the same each time.
#pragma once

#include <kernels/attention_tiles.hpp>

namespace tg::kernels {

/// Rows of a block, and of a step, of the gradients.
template <int HeadSize> inline constexpr int attention_gradient_height = 64;
template <int HeadSize> inline constexpr int attention_gradient_width = HeadSize <= 64 ? 64 : 32;

/// The rows of sequence `s`: all of one length, or from `starts(s)` to before `starts(s + 1)`.
template <class S> auto attention_rows_of(const S& s, const tg::scalar<unsigned>& queries, const tg::scalar<unsigned>& keys) {
  return attention_rows{tg::let(s * queries), queries.get(), tg::let(s * keys), keys.get()};
}
template <class S> auto attention_rows_of(const S& s, const tg::in<unsigned>& starts, const tg::in<unsigned>& key_starts) {
  const auto begin = tg::let(starts(s)), key_begin = tg::let(key_starts(s));
  return attention_rows{begin, tg::let(starts(s + 1_c) - begin), key_begin, tg::let(key_starts(s + 1_c) - key_begin)};
}

/// delta(head, row) = the sum of o * d_o over the columns of a head: what the gradients of scores are relative to. Launch with
/// `attention_deltas_grid(rows, heads)`.
template <class T, int HeadSize>
inline constexpr auto attention_deltas = tg::kernel<"attention_deltas">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> o, tg::in2<T, tg::multiple_of<8>> d_o, tg::out2<float> delta,
                       tg::scalar<unsigned> rows) {
      const auto head = block.index.y;
      const auto first = tg::let(block.index.x * 64_c);
      const auto column = tg::let(head * tg::constant<HeadSize>{});
      const auto read = [&](const auto& view) {
        const auto part = tg::tile_at<64, attention_columns<HeadSize>>(tg::sized(view, rows, column + tg::constant<HeadSize>{}),
                                                                       first, column);
        return tg::cast<float>(tg::load(block, part));
      };
      tg::column_at<64>(tg::sized(tg::row(delta, head), rows), first) = tg::row_sum(read(o) * read(d_o));
    });

/// Blocks for `rows` rows of q of `heads` heads.
constexpr auto attention_deltas_grid(unsigned rows, unsigned heads, source_location where = source_location::current()) {
  return tg::grid((rows + 63) / 64, heads, where);
}

/// The gradient of q: one block for 64 queries of a head. `lengths`: `queries, keys`, or with `tg::in<unsigned>` twice as
/// Lengths where sequences begin, as `attention_ragged` has them. `delta`: what `attention_deltas` leaves. Launch with
/// `attention_gradient_grid(queries of the longest, heads, sequences)`.
template <class T, int HeadSize, attention_options Options = attention_options{}, int Sm = 80,
          class Queries = tg::scalar<unsigned>, class Keys = Queries>
inline constexpr auto attention_query_gradient = tg::kernel<"attention_query_gradient">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k, tg::in2<T, tg::multiple_of<8>> v,
       tg::in2<T, tg::multiple_of<8>> d_o, tg::in2<float> log_sums, tg::in2<float> delta, tg::out2<T, tg::multiple_of<8>> d_q,
       Queries queries, Keys keys, tg::scalar<unsigned> group, tg::scalar<float> scale) {
      constexpr int height = attention_gradient_height<HeadSize>, width = attention_gradient_width<HeadSize>;
      constexpr tg::constant<HeadSize> size{};
      const auto of = attention_rows_of(block.index.z, queries, keys);
      const auto end_of = [&](const auto& i) { return of.template end_of<Options>(i); };
      const auto begin_of = [&](const auto& i) { return of.template begin_of<Options>(i); };
      const auto first = tg::let(block.index.x * tg::constant<height>{});
      const auto head = tg::let(block.index.y * size);
      const auto key_head = tg::let(block.index.y / group * size);
      const auto numbers_of = [&](const auto& view) {
        return tg::column_at<height>(tg::sized(tg::row(view, block.index.y), of.begin + of.queries), of.begin + first);
      };
      const auto query = tg::to_shared(block, queries_at<height, HeadSize>(of, q, first, head));
      const auto slope = tg::to_shared(block, queries_at<height, HeadSize>(of, d_o, first, head));
      auto out = tg::zeros<float, height, attention_columns<HeadSize>>(block);
      auto shift = tg::full_per_row(out, 0.0f), middle = tg::full_per_row(out, 0.0f);
      shift = numbers_of(log_sums) * 0x1.715476p0f;
      middle = numbers_of(delta);
      const auto last = tg::let(tg::min(first + tg::constant<height>{}, of.queries) - 1_c);
      const auto from = tg::choose<Options.window != 0>(tg::let(begin_of(first)), 0_c);
      const auto end = tg::let(tg::select(first < of.queries, tg::max(end_of(last), from), from));
      tg::pipeline<2>(
          block, tg::steps(end - from, tg::constant<width>{}),
          [&](auto step) {
            return tg::stage(keys_at<width, HeadSize>(of, k, from + step, key_head),
                             keys_at<width, HeadSize>(of, v, from + step, key_head));
          },
          [&](auto key, auto values, auto step) {
            auto score = tg::zeros<float, height, width>(block);
            score += tg::dot(query, tg::transposed(key));
            const auto is_seen = is_seen_by<Options>(of, tg::columns_of(score, from + step), tg::rows_of(score, first));
            const auto weight = tg::where(is_seen, tg::approx::exp2_ftz(tg::fma(score, scale * 0x1.715476p0f, -shift)), 0.0f);
            auto change = tg::zeros<float, height, width>(block);
            change += tg::dot(slope, tg::transposed(values));
            out += tg::dot(tg::cast<T>(weight * (change - middle)), key);
          });
      queries_at<height, HeadSize>(of, d_q, first, head) = tg::cast<T>(out * scale);
    });

/// Blocks for `batch` sequences of `rows` queries (or keys) and `heads` heads of q (or of k and v).
constexpr auto attention_gradient_grid(unsigned rows, unsigned heads, unsigned batch,
                                       source_location where = source_location::current()) {
  return tg::grid((rows + 63) / 64, heads, batch, where);
}

/// The gradients of k and v: one block for 64 keys of a head of k, which adds up those of the `group` heads of q that share it.
/// Launch with `attention_gradient_grid(keys of the longest, heads of k, sequences)`. All else as `attention_query_gradient`
/// says.
template <class T, int HeadSize, attention_options Options = attention_options{}, int Sm = 80,
          class Queries = tg::scalar<unsigned>, class Keys = Queries>
inline constexpr auto attention_key_gradient = tg::kernel<"attention_key_gradient">(
    tg::block<128> | tg::for_sm<Sm>,
    [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k, tg::in2<T, tg::multiple_of<8>> v,
       tg::in2<T, tg::multiple_of<8>> d_o, tg::in2<float> log_sums, tg::in2<float> delta, tg::out2<T, tg::multiple_of<8>> d_k,
       tg::out2<T, tg::multiple_of<8>> d_v, Queries queries, Keys keys, tg::scalar<unsigned> group, tg::scalar<float> scale) {
      constexpr int height = attention_gradient_height<HeadSize>, width = attention_gradient_width<HeadSize>;
      constexpr tg::constant<HeadSize> size{};
      const auto of = attention_rows_of(block.index.z, queries, keys);
      const auto first = tg::let(block.index.x * tg::constant<height>{});
      const auto key_head = tg::let(block.index.y * size);
      const auto key = tg::to_shared(block, keys_at<height, HeadSize>(of, k, first, key_head));
      const auto values = tg::to_shared(block, keys_at<height, HeadSize>(of, v, first, key_head));
      auto key_slope = tg::zeros<float, height, attention_columns<HeadSize>>(block),
           value_slope = tg::zeros<float, height, attention_columns<HeadSize>>(block);
      // The first query that sees the first of these keys, and the one after the last that sees the last of them.
      const auto from = tg::choose<Options.causal>(tg::let(tg::max(first + of.queries, of.keys) - of.keys), 0_c);
      const auto beyond =
          tg::max(first + tg::constant<height - 1>{} + of.queries + tg::constant<Options.window>{}, of.keys) - of.keys;
      const auto end = tg::let(tg::select(
          first < of.keys, tg::max(tg::choose<Options.window != 0>(tg::min(beyond, of.queries), of.queries), from), from));
      tg::for_(tg::range(block.index.y * group, block.index.y * group + group), [&](const auto& number) {
        const auto head = tg::let(number * size);
        tg::pipeline<2>(
            block, tg::steps(end - from, tg::constant<width>{}),
            [&](auto step) {
              return tg::stage(queries_at<width, HeadSize>(of, q, from + step, head),
                               queries_at<width, HeadSize>(of, d_o, from + step, head));
            },
            [&](auto query, auto slope, auto step) {
              const auto at = tg::let(from + step);
              const auto numbers_of = [&](const auto& view) {
                return tg::tile_at<width>(tg::sized(tg::row(view, number), of.begin + of.queries), of.begin + at);
              };
              auto score = tg::zeros<float, height, width>(block);
              score += tg::dot(key, tg::transposed(query));
              const auto is_seen = is_seen_by<Options>(of, tg::rows_of(score, first), tg::columns_of(score, at));
              const auto shift = numbers_of(log_sums) * 0x1.715476p0f;
              const auto power = tg::eval(tg::fma(score, scale * 0x1.715476p0f, -shift));
              const auto weight = tg::eval(tg::where(is_seen, tg::approx::exp2_ftz(power), 0.0f));
              value_slope += tg::dot(tg::cast<T>(weight), slope);
              auto change = tg::zeros<float, height, width>(block);
              change += tg::dot(values, tg::transposed(slope));
              key_slope += tg::dot(tg::cast<T>(weight * (change - numbers_of(delta))), query);
            });
      });
      keys_at<height, HeadSize>(of, d_k, first, key_head) = tg::cast<T>(key_slope * scale);
      keys_at<height, HeadSize>(of, d_v, first, key_head) = tg::cast<T>(value_slope);
    });

}  // namespace tg::kernels
