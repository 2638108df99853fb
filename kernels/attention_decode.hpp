// Attention for decoding: few query tokens of each sequence against a long cache of keys and values, contiguous or in pages.
// The keys of a sequence are divided among blocks, and a second kernel joins their results. After Dao, Haziza, Massa and Sizov,
// "Flash-Decoding for long-context inference", 2023; pages after Kwon et al., "Efficient memory management for large language
// model serving with PagedAttention", 2023.
//
//   q, o           (sequences * key heads * rows) x HeadSize    rows = queries * group; row token * group + g is a query head
//   keys, values   slots x (key heads * HeadSize)
//   parts          (splits * sequences * key heads * rows) x HeadSize floats, and as many log_sums
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include <kernels/attention_tiles.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Where keys are and which of them a query sees: `attention_decode_options{.page = 16, .window = 4096}`.
struct attention_decode_options {
  unsigned page = 0;    ///< Keys of a page, a power of two from 16 on. 0: the keys of a sequence lie side by side.
  unsigned window = 0;  ///< A query sees the last so many keys up to its own. 0: all of them.
  bool alibi = false;   ///< A slope of each head times the distance of a key from the last one is added to scores (ALiBi).
  bool tree = false;    ///< A matrix of numbers for the last keys is added to scores, and takes the place of the causal rule.
};

namespace detail {

/// Keys of a step, which lie in one page.
template <int HeadSize, attention_decode_options Options>
inline constexpr int decode_step = [] {
  constexpr unsigned most = HeadSize <= 128 ? 64 : 32;
  return static_cast<int>(Options.page == 0 ? most : std::min(most, Options.page));
}();
/// Stages of the pipeline: about as many bytes are under way whatever the step is.
template <int HeadSize, attention_decode_options Options>
inline constexpr int decode_stages = decode_step<HeadSize, Options> >= 64   ? 2
                                     : decode_step<HeadSize, Options> == 32 ? 3
                                                                            : 4;

/// Whether a kernel has these options. Errors: where none does.
template <attention_decode_options Options> consteval bool are_decode_options() {
  constexpr bool is_page = Options.page == 0 || (Options.page >= 16 && std::has_single_bit(Options.page));
  constexpr bool is_window = !Options.tree || Options.window == 0;
  static_assert(is_page, "attention_decode_options: a page is a power of two of 16 keys or more; 0: keys lie side by side");
  static_assert(is_window, "attention_decode_options: a tree has no window");
  return is_page && is_window;
}
/// Whether there is such a kernel. Errors: where there is none.
template <class T, int HeadSize, int Rows, attention_decode_options Options> consteval bool is_decode_kernel() {
  constexpr bool is_element = std::is_same_v<T, tg::f16> || std::is_same_v<T, tg::bf16>;
  constexpr bool is_size = HeadSize >= 16 && HeadSize <= 256 && HeadSize % 8 == 0;
  constexpr bool is_height = Rows == 16 || Rows == 64;
  static_assert(is_element, "attention_decode: elements are f16 or bf16");
  static_assert(is_size, "attention_decode: heads have 16 to 256 elements, a multiple of 8");
  static_assert(is_height, "attention_decode: a block has 16 or 64 rows");
  return is_element && is_size && is_height && are_decode_options<Options>();
}

/// The parameters of a kernel beyond those that all have.
template <class...> struct decode_parameters {};
template <attention_decode_options Options> constexpr auto decode_parameters_of() {
  if constexpr (Options.alibi && Options.tree) return decode_parameters<tg::in<float>, tg::in2<float>, tg::scalar<unsigned>>{};
  else if constexpr (Options.tree) return decode_parameters<tg::in2<float>, tg::scalar<unsigned>>{};
  else if constexpr (Options.alibi) return decode_parameters<tg::in<float>>{};
  else return decode_parameters<>{};
}

/// What is added to scores.
template <class Slopes, class Tree, class Apart> struct decode_biases {
  Slopes slopes;  // of the heads
  Tree tree;      // for each query token the last keys
  Apart apart;    // rows of `tree` from one sequence to the next
};
template <class Slopes, class Tree, class Apart> decode_biases(Slopes, Tree, Apart) -> decode_biases<Slopes, Tree, Apart>;
template <attention_decode_options Options, class... Extra> auto decode_biases_of(const Extra&... extra) {
  if constexpr (Options.alibi && Options.tree) return decode_biases{extra...};
  else if constexpr (Options.tree) return decode_biases{0, extra...};
  else if constexpr (Options.alibi) return decode_biases{extra..., 0, 0};
  else return decode_biases{0, 0, 0};
}

/// Keys `from` to before `to` of a sequence: a part of those that its queries see.
template <class From, class To> struct decode_range {
  From from;
  To to;
};
template <class From, class To> decode_range(From, To) -> decode_range<From, To>;

/// Part `split` of `splits` of the keys of a sequence, in whole steps. `token`: the first query token of the block.
template <int Step, attention_decode_options Options, class Split, class Splits, class Length, class Queries, class Token>
auto decode_range_of(const Split& split, const Splits& splits, const Length& length, const Queries& queries,
                     const Token& token) {
  constexpr tg::constant<Step> step{};
  constexpr tg::constant<Options.window> window{};
  const auto seen = [&] {
    if constexpr (Options.window == 0) return 0_c;
    else return tg::let((tg::max(length + token + 1u, queries + window) - (queries + window)) / step);
  }();
  const auto all = tg::let((length + tg::constant<Step - 1>{}) / step);
  const auto each = tg::let((all - tg::min(all, seen) + splits - 1_c) / splits);
  const auto first = tg::let(tg::min(seen + split * each, all));
  const auto from = tg::let(first * step);
  const auto to = tg::let(tg::max(tg::min((first + each) * step, length), from));
  return decode_range{from, to};
}

template <class T, int HeadSize, int Rows, attention_decode_options Options, class... Extra>
constexpr auto make_attention_decode(decode_parameters<Extra...>) {
  return tg::kernel<"attention_decode">(
      tg::block<2 * Rows>,
      [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> keys,
         tg::in2<T, tg::multiple_of<8>> values, tg::in<unsigned> lengths, tg::in2<unsigned> table,
         tg::out2<float, tg::multiple_of<8>> parts, tg::out<float> log_sums, tg::scalar<unsigned> sequences,
         tg::scalar<unsigned> key_heads, tg::scalar<unsigned> queries, tg::scalar<unsigned> group, tg::scalar<unsigned> splits,
         tg::scalar<float> scale, Extra... extra) {
        constexpr int columns = attention_columns<HeadSize>, step = decode_step<HeadSize, Options>;
        constexpr bool has_bias = Options.alibi || Options.tree;
        constexpr tg::constant<HeadSize> size{};
        const auto biases = decode_biases_of<Options>(extra...);
        const auto unit = block.index.x;
        const auto of_all = tg::let(unit / key_heads);
        const auto key_head = tg::let(unit % key_heads);
        const auto sequence = tg::let(of_all % sequences);
        const auto rows = tg::let(queries * group);
        const auto first = tg::let(block.index.y * tg::constant<Rows>{});
        const auto column = tg::let(key_head * size);
        const auto row_of_q = tg::let((sequence * key_heads + key_head) * rows);
        const auto length = tg::assume_uniform(lengths(sequence));
        const auto own =
            decode_range_of<step, Options>(tg::let(of_all / sequences), splits, length, queries.get(), tg::let(first / group));
        const auto factor = tg::let(scale * 0x1.715476p0f);  // 2 to the scores

        const auto shared_query =
            tg::to_shared(block, tg::tile_at<Rows, columns>(tg::sized(q, row_of_q + rows, size), row_of_q + first, 0_c));
        const auto query = [&] {
          if constexpr (HeadSize <= 128) return tg::in_registers(block, shared_query);
          else return shared_query;
        }();
        auto out = tg::zeros<float, Rows, columns>(block);
        auto peak = tg::full_per_row(out, -tg::largest_finite<float>);
        auto totals = tg::full_partial_row_sums(out, 0.0f);
        auto slope = tg::full_per_row(out, 0.0f);
        if constexpr (Options.alibi)
          slope =
              tg::map([&](const auto& r) { return biases.slopes(tg::gather(key_head * group + r % group)) * 0x1.715476p0f; },
                      tg::rows_of(out, first));

        // Behind the end of the part, a rectangle has no rows, and no page is looked up.
        const auto stage_at = [&](auto at) {
          const auto key = tg::let(own.from + at);
          const auto is_own = tg::let(key < own.to);
          const auto slot = [&] {
            if constexpr (Options.page == 0) {
              return tg::assume_uniform(table(sequence, 0_c)) + key;
            } else {
              constexpr tg::constant<Options.page> page{};
              const auto number = tg::assume_uniform(tg::select(is_own, table(sequence, key / page), 0u));
              return number * page + key % page;
            }
          };
          const auto begin = tg::let(slot());
          const auto end = tg::let(tg::select(is_own, begin + tg::min(own.to - key, tg::constant<step>{}), 0u));
          const auto rectangle = [&](const auto& view) {
            return tg::tile_at<step, columns>(tg::sized(view, end, column + size), begin, column);
          };
          return tg::stage(rectangle(keys), rectangle(values));
        };
        auto score = tg::zeros<float, Rows, step>(block);
        const auto find_scores = [&](auto key, auto /*value*/, auto at) {
          score = 0.0f;
          score += tg::dot(query, tg::transposed(key));
          const auto j = tg::let(own.from + at);
          if constexpr (Options.alibi) {
            const auto distance =
                tg::map([&](const auto& k) { return tg::cast<float>(tg::cast<int>(k + 1u) - tg::cast<int>(length)); },
                        tg::columns_of(score, j));
            score = tg::fma(slope, distance, score * factor);
          } else if constexpr (Options.tree) {
            score = score * factor;
          }
          const auto all_rows = tg::rows_of(score, first);
          const auto all_keys = tg::columns_of(score, j);
          // Some key of the step is not seen by all tokens, or is in the tree.
          const auto is_cut = j + (queries + tg::constant<step>{}) > length;
          if constexpr (Options.tree) {
            tg::if_(is_cut, [&] {
              const auto bias = tg::map(
                  [&](const auto& k, const auto& r) {
                    const auto token = tg::let(r / group), behind = tg::let(k + queries - length);
                    const auto is_in_tree = k + queries >= length && k < length && token < queries;
                    return tg::select(is_in_tree, biases.tree(tg::gather(sequence * biases.apart + token), tg::gather(behind)),
                                      tg::select(k < length, 0.0f, -tg::infinity<float>));
                  },
                  all_keys, all_rows);
              score = score + bias * 0x1.715476p0f;
            });
          } else {
            constexpr tg::constant<Options.window> window{};
            const auto cut = [&] {
              const auto is_seen = tg::map(
                  [&](const auto& k, const auto& r) {
                    const auto token = tg::let(r / group);
                    const auto is_before = k + queries <= length + token;
                    if constexpr (Options.window == 0) return is_before;
                    else return is_before && k + queries + window > length + token;
                  },
                  all_keys, all_rows);
              score = tg::where(is_seen, score, -tg::infinity<float>);
            };
            if constexpr (Options.window == 0) tg::if_(is_cut, cut);
            else tg::if_(is_cut || j + window <= length, cut);
          }
        };
        const auto add_values = [&](auto /*key*/, auto value) {
          const auto scaled = tg::choose<has_bias>(1.0f, factor);
          const auto top = tg::eval(tg::max(peak, tg::row_max(score) * scaled));
          const auto weight = tg::eval(tg::approx::exp2_ftz(tg::fma(score, scaled, -top)));
          const auto shrink = tg::eval(tg::approx::exp2_ftz(peak - top));
          tg::if_(tg::any_in_warp(shrink < 1.0f), [&] { out = out * shrink; });
          totals = totals * shrink + tg::partial_row_sums(weight);
          out += tg::dot(tg::cast<T>(weight), value);
          peak = top;
        };
        tg::pipeline<decode_stages<HeadSize, Options>>(block, tg::steps(own.to - own.from, tg::constant<step>{}), stage_at,
                                                       find_scores, add_values);
        const auto total = tg::eval(tg::row_sum(totals));
        const auto row = tg::let(unit * rows);
        tg::column_at<Rows>(tg::sized(log_sums, row + rows), row + first) = (peak + tg::approx::log2(total)) * 0x1.62e43p-1f;
        tg::tile_at<Rows, columns>(tg::sized(parts, row + rows, size), row + first, 0_c) =
            out * tg::where(total == 0.0f, 0.0f, tg::approx::rcp(total));
      });
}

}  // namespace detail

/// Attention of the last `queries` tokens of each sequence, whose keys and values are in the cache already. A token sees the
/// keys of its sequence up to its own. Parameters: q, keys, values, lengths, table, parts, log_sums, sequences, key_heads,
/// queries, group, splits, scale; with `alibi` then slopes; with `tree` then tree, tree_rows.
///
/// `lengths(s)`: the keys of sequence s, which may be 0. Key j of it is in slot `table(s, j / page) * page + j % page`, without
/// pages in slot `table(s, 0) + j`. Other slots are not read, whatever they hold.
/// `splits`: into how many parts the keys of each sequence are divided; a part may be empty: its element of log_sums is minus
/// infinity. `slopes`: one for each head of q; distances are between places in the cache.
/// `tree(s * tree_rows + i, j)`: what is added to the score of token i of sequence s and key j of the last `queries`: 0 where
/// it is seen, minus infinity where not, or any number. tree_rows is `queries`, or 0 where all sequences have one matrix.
/// Rows: of a block, 16 (one warp) or 64 (four warps). Launch with `attention_decode_grid<Rows>(sequences, key_heads,
/// queries * group, splits)`, then `attention_join` with `attention_join_grid(sequences * key_heads * queries * group)`.
///
/// Requires: T is f16 or bf16; HeadSize is a multiple of 8 from 16 to 256, and costs what the next power of two does; 0 <
/// scale; the keys of a sequence, its queries and the window add up to less than 2^31 - 128.
/// Units: as `attention_tiles`; parts are floats. Cost: the keys and values once for each Rows rows of queries.
template <class T, int HeadSize, int Rows = 16, attention_decode_options Options = attention_decode_options{}>
inline constexpr auto attention_decode = [] {
  if constexpr (detail::is_decode_kernel<T, HeadSize, Rows, Options>())
    return detail::make_attention_decode<T, HeadSize, Rows, Options>(detail::decode_parameters_of<Options>());
}();

/// Blocks for `attention_decode`; `rows`: query tokens times heads of q for one of keys.
template <int Rows = 16>
constexpr auto attention_decode_grid(unsigned sequences, unsigned key_heads, unsigned rows, unsigned splits,
                                     source_location where = source_location::current()) {
  static_assert(Rows == 16 || Rows == 64, "attention_decode_grid: a block has 16 or 64 rows");
  return tg::grid(std::uint64_t{splits} * sequences * key_heads, (rows + unsigned{Rows} - 1) / unsigned{Rows}, where);
}

/// Parts of the keys of each sequence: as many as give each multiprocessor four blocks, with four steps of 64 keys or more in
/// each part. `blocks`: sequences * key heads * blocks of rows. `longest`: keys of the longest sequence.
constexpr unsigned attention_splits(unsigned blocks, unsigned longest, unsigned multiprocessors) {
  const unsigned wanted = (4 * multiprocessors + std::max(1u, blocks) - 1) / std::max(1u, blocks);
  return std::max(1u, std::min({wanted, longest / 256, 128u}));
}

/// Joins the parts of a softmax: row r of `o` is the mean of rows r, r + rows, r + 2 * rows, ... of `parts`, weighed by the
/// exponentials of their elements of `log_sums`; 0 where all of these are minus infinity. One warp for each row. Launch with
/// `attention_join_grid(rows)`. Requires: rows * splits < 2^31.
template <class T, int HeadSize>
inline constexpr auto attention_join = tg::kernel<"attention_join">(
    tg::block<32, 8>, [](auto block, tg::in2<float, tg::multiple_of<8>> parts, tg::in<float> log_sums,
                         tg::out2<T, tg::multiple_of<8>> o, tg::scalar<unsigned> rows, tg::scalar<unsigned> splits) {
      static_assert(HeadSize >= 16 && HeadSize <= 256 && HeadSize % 8 == 0,
                    "attention_join: heads have 16 to 256 elements, a multiple of 8");
      constexpr int width = HeadSize <= 128 ? 4 : 8;
      const auto row = tg::let(block.index.x * 8_c + block.thread.y);
      const auto first = tg::let(block.thread.x * tg::constant<width>{});
      tg::if_(row < rows && first < static_cast<unsigned>(HeadSize), [&] {
        tg::var<float> peak = -tg::largest_finite<float>, total = 0.0f;
        tg::for_(tg::range(splits), [&](auto s) { peak = tg::max(peak, log_sums(s * rows + row)); });
        tg::regs<float, width> sums = 0.0f;
        tg::for_(tg::range(splits), [&](auto s) {
          const auto at = tg::let(s * rows + row);
          const auto weight = tg::let(tg::approx::exp2_ftz((log_sums(at) - peak) * 0x1.715476p0f));
          total += weight;
          for (int e = 0; e < width; e += 4) {
            const auto four = parts.template vec<4>(at, first + tg::uniform<4>(e)).get();
            for (int c = 0; c < 4; ++c) sums(e + c) = tg::fma(weight, four(c), sums(e + c));
          }
        });
        const auto factor = tg::let(tg::select(total == 0.0f, 0.0f, tg::approx::rcp(total)));
        for (int e = 0; e < width; e += 4)
          o.template vec<4>(row, first + tg::uniform<4>(e)) =
              tg::make_vec(tg::cast<T>(sums(e) * factor), tg::cast<T>(sums(e + 1) * factor), tg::cast<T>(sums(e + 2) * factor),
                           tg::cast<T>(sums(e + 3) * factor));
      });
    });

/// Blocks for `attention_join` of so many rows.
constexpr auto attention_join_grid(unsigned rows, source_location where = source_location::current()) {
  return tg::grid((rows + 7) / 8, where);
}

}  // namespace tg::kernels
