// o = softmax(scale * q * k^T) * v of each head in one pass over the keys, written with tiles. After Dao, "FlashAttention-2",
// 2023. Of the scores, the largest so far of each row stays; what was summed shrinks when it grows.
#pragma once

#include <bit>
#include <kernels/tiled_body.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Which keys a query sees: `attention_options{.causal = true, .window = 1024}`.
struct attention_options {
  bool causal = false;    ///< The last query sees all keys, each one before it one less.
  unsigned window = 0;    ///< With `causal`: of these keys only the last so many. 0: all of them.
  bool producer = false;  ///< At sm_90 a warpgroup more fetches keys and values, see `tg::producer`; below nothing changes.
};

/// What is done to the scores where nothing is.
inline constexpr auto unchanged = [](const auto& scores) { return scores; };

/// Columns of a tile that holds a head: the next power of two.
template <int HeadSize>
inline constexpr int attention_columns = static_cast<int>(std::bit_ceil(static_cast<unsigned>(HeadSize)));
/// Queries of a block.
template <int HeadSize> inline constexpr int attention_height = HeadSize <= 64 ? 128 : 64;
/// What a block makes: so many queries of a head.
struct attention_extents {
  int height = 64;

  friend constexpr bool operator==(const attention_extents&, const attention_extents&) = default;
};
/// The body of a kernel of heads of HeadSize elements.
template <int HeadSize, class F> constexpr auto with_height_of(F f) {
  return with_tile<attention_extents{attention_height<HeadSize>}>(f);
}
/// Keys of a step.
template <int HeadSize, int Sm> inline constexpr int attention_width = HeadSize <= 128 || Sm == 90 ? 64 : 32;

/// The threads of a block and the registers of each. Heads of 128 on Ampere keep to 224 without a spill, 240 as ptxas has it;
/// heads of 64 on Hopper keep to 176.
template <int HeadSize, int Sm, attention_options Options = attention_options{}>
inline constexpr auto attention_block = [] {
  // One product of heads of 256 takes more than the 128 registers that two blocks leave at launch.
  if constexpr (Options.producer && Sm == 90)
    return tg::block<128> | tg::min_blocks<(HeadSize <= 128 ? 2 : 1)> | tg::for_sm<90> | tg::producer;
  else if constexpr (HeadSize == 128 && Sm < 90) return tg::block<128> | tg::max_registers<224> | tg::for_sm<Sm>;
  else if constexpr (HeadSize == 64 && Sm == 90) return tg::block<128> | tg::max_registers<176> | tg::for_sm<Sm>;
  else return tg::block<128> | tg::for_sm<Sm>;
}();

/// The rows of q and o, and those of k and v, that one sequence has.
template <class Begin, class Queries, class KeyBegin, class Keys> struct attention_rows {
  Begin begin;
  Queries queries;
  KeyBegin key_begin;
  Keys keys;

  /// The keys before it are seen by query `i`.
  template <attention_options Options, class Query> auto end_of(const Query& i) const {
    return tg::choose<Options.causal>(tg::max(i + 1u + keys, queries) - queries, keys);
  }
  /// The keys from it on.
  template <attention_options Options, class Query> auto begin_of(const Query& i) const {
    constexpr tg::constant<Options.window> window{};
    return tg::max(i + 1u + keys, queries + window) - (queries + window);
  }
  /// Whether query `i` sees key `j`: one from `begin_of` to before `end_of`, without their limits at 0, as signed numbers.
  template <attention_options Options, class Query, class Key> auto sees(const Query& i, const Key& j) const {
    const auto key = tg::cast<int>(j), end = tg::cast<int>(i + 1u + keys) - tg::cast<int>(queries);
    const auto is_before_end = tg::choose<Options.causal>(key < end, j < keys);
    if constexpr (Options.window == 0) return is_before_end;
    else return is_before_end && key >= end - static_cast<int>(Options.window);
  }
};
template <class Begin, class Queries, class KeyBegin, class Keys>
attention_rows(Begin, Queries, KeyBegin, Keys) -> attention_rows<Begin, Queries, KeyBegin, Keys>;

/// Whether query `i` sees key `j`.
template <attention_options Options, class Rows, class J, class I> auto is_seen_by(const Rows& of, const J& j, const I& i) {
  return tg::map([&of](const auto& number, const auto& query) { return of.template sees<Options>(query, number); }, j, i);
}

/// Queries of a sequence from `first` on, of the head whose columns begin at `column`.
template <int Height, int HeadSize, class Rows, class View, class First, class Column>
auto queries_at(const Rows& of, const View& view, const First& first, const Column& column) {
  return tg::tile_at<Height, attention_columns<HeadSize>>(
      tg::sized(view, of.begin + of.queries, column + tg::constant<HeadSize>{}), of.begin + first, column);
}
/// Keys or values of a sequence from `from` on.
template <int Height, int HeadSize, class Rows, class View, class From, class Column>
auto keys_at(const Rows& of, const View& view, const From& from, const Column& column) {
  return tg::tile_at<Height, attention_columns<HeadSize>>(
      tg::sized(view, of.key_begin + of.keys, column + tg::constant<HeadSize>{}), of.key_begin + from, column);
}

/// Values of a sequence that stand in rows, a row for each element of a head and a column for each key, from key `from` on.
/// `head`: the number of the head of values among those of all sequences.
template <int Width, int HeadSize, class Rows, class View, class From, class Head>
auto value_rows_at(const Rows& of, const View& view, const From& from, const Head& head) {
  constexpr tg::constant<HeadSize> size{};
  return tg::tile_at<attention_columns<HeadSize>, Width>(tg::sized(view, head * size + size, of.keys), head * size, from);
}

/// One block of attention: queries of one head of one sequence. `weigh` is given what the sums are multiplied by at the end.
/// `put_sums(first, sums)` gets the logarithms of the sums of exponentials of the queries from `first` on. Of 8-bit floats, v
/// has a row for each element of a head.
template <attention_options Options, int HeadSize, int Sm, class Block, class Rows, class In, class Out, class Weigh, class F>
void attend(const Block& block, const Rows& of, const In& q, const In& k, const In& v, const Out& o,
            const tg::scalar<unsigned>& group, const tg::scalar<float>& scale, const Weigh& weigh, const F& put_sums) {
  using T = typename In::element_type;
  constexpr bool is_bytes = sizeof(T) == 1;
  constexpr float lift = is_bytes ? 8 : 0;  // weights are up to 2^lift: 8-bit floats from 2^-9 on are then used
  static_assert(Options.causal || Options.window == 0, "attention_options: a window is part of causal attention");
  constexpr int height = attention_height<HeadSize>, width = attention_width<HeadSize, Sm>;
  constexpr tg::constant<HeadSize> size{};
  const auto turn = tg::choose<Options.causal>(block.grid.x - 1_c - block.index.x, block.index.x);  // the longest first
  const auto first = tg::let(turn * tg::constant<height>{});
  const auto head = tg::let(block.index.y * size);
  const auto key_head = tg::let(block.index.y / group * size);
  const auto end_of = [&](const auto& i) { return of.template end_of<Options>(i); };
  const auto begin_of = [&](const auto& i) { return of.template begin_of<Options>(i); };
  const auto factor = tg::let(scale * 0x1.715476p0f);  // 2 to the scores

  const auto shared_query = tg::to_shared(block, queries_at<height, HeadSize>(of, q, first, head));
  const auto query = [&] {
    if constexpr (HeadSize <= 128 && Sm < 90) return tg::in_registers(block, shared_query);
    else return shared_query;
  }();
  auto out = tg::zeros<float, height, attention_columns<HeadSize>>(block);
  auto peak = tg::full_per_row(out, -tg::largest_finite<float>);
  auto totals = tg::full_partial_row_sums(out, 0.0f);
  const auto last = tg::let(tg::min(first + tg::constant<height>{}, of.queries) - 1_c);
  constexpr tg::constant<is_bytes ? 16 : 1> apart{};  // a copy begins at a multiple of so many keys
  const auto from = tg::choose<Options.window != 0>(tg::let(begin_of(first) / apart * apart), 0_c);
  const auto value_head = tg::let(block.index.z * (block.grid.y / group) + block.index.y / group);
  const auto end = tg::let(tg::select(first < of.queries, tg::max(end_of(last), from), from));
  const auto steps = tg::steps(end - from, tg::constant<width>{});
  const auto stage_at = [&](auto step) {
    const auto keys = keys_at<width, HeadSize>(of, k, from + step, key_head);
    if constexpr (is_bytes) return tg::stage(keys, value_rows_at<width, HeadSize>(of, v, from + step, value_head));
    else return tg::stage(keys, keys_at<width, HeadSize>(of, v, from + step, key_head));
  };
  auto score = tg::zeros<float, height, width>(block);
  const auto find_scores = [&](auto key, auto /*values*/, auto step) {
    score = 0.0f;
    score += tg::dot(query, tg::transposed(key));
    const auto j = tg::let(from + step);
    const auto is_cut = end_of(first) < j + static_cast<unsigned>(width);
    tg::if_(tg::choose<Options.window != 0>(is_cut || j < begin_of(last), is_cut), [&] {
      const auto is_seen = is_seen_by<Options>(of, tg::columns_of(score, j), tg::rows_of(score, first));
      score = tg::where(is_seen, score, -tg::infinity<float>);
    });
  };
  const auto add_values = [&](auto /*key*/, auto values) {
    const auto top = tg::eval(tg::max(peak, tg::row_max(score) * factor));
    const auto weight = tg::eval(tg::approx::exp2_ftz(tg::fma(score, factor, tg::choose<is_bytes>(lift - top, -top))));
    const auto shrink = tg::eval(tg::approx::exp2_ftz(peak - top));
    tg::if_(tg::any_in_warp(shrink < 1.0f), [&] { out = out * shrink; });
    totals = totals * shrink + tg::partial_row_sums(weight);
    out += tg::dot(tg::cast<T>(weight), tg::choose<is_bytes>(tg::transposed(values), values));
    peak = top;
  };
  tg::pipeline<2>(block, steps, stage_at, find_scores, add_values);
  const auto total = tg::row_sum(totals);
  if constexpr (is_bytes) put_sums(first, (peak - lift + tg::approx::log2(total)) * 0x1.62e43p-1f);
  else put_sums(first, (peak + tg::approx::log2(total)) * 0x1.62e43p-1f);
  const auto factor_of_out = tg::where(total == 0.0f, 0.0f, weigh(tg::approx::rcp(total)));
  queries_at<height, HeadSize>(of, o, first, head) = tg::cast<typename Out::element_type>(out * factor_of_out);
}

/// The sums of queries from `first` on of a sequence, in the row of their head.
template <int HeadSize, class View, class Head, class Rows, class First, class Sums>
void put_log_sums(const View& log_sums, const Head& head, const Rows& of, const First& first, const Sums& sums) {
  tg::column_at<attention_height<HeadSize>>(tg::sized(tg::row(log_sums, head), of.begin + of.queries), of.begin + first) = sums;
}

/// Rows of q and o are the positions of all sequences, one sequence after another, `queries` each; of k and v `keys` each.
/// Columns are the heads, HeadSize elements each; `group` heads of q share one of k and v. A query that sees no key gets zeros.
/// NaN in a value makes NaN of queries whose step of 64 keys has it, also where they do not see it.
/// With `tg::out2<float>` as LogSums, a last argument gets the logarithm of the sum of exponentials of each query's scores, a
/// row for each head and a column for each row of q; minus infinity where it sees no key. Launch with
/// `attention_tiles_grid(kernel, queries, heads, sequences)`. `Sm`: the architecture, 80 or 90. Requires: T is f16 or bf16;
/// HeadSize is a multiple of 8 from 16 to 256, and costs what the next power of two does; 0 < scale; queries, keys and the
/// window add up to less than 2^31 - 128.
template <class T, int HeadSize, attention_options Options = attention_options{}, int Sm = 80, class... LogSums>
inline constexpr auto attention_tiles = tg::kernel<"attention_tiles">(
    attention_block<HeadSize, Sm, Options>,
    with_height_of<HeadSize>([](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k,
                                tg::in2<T, tg::multiple_of<8>> v, tg::out2<T, tg::multiple_of<8>> o,
                                tg::scalar<unsigned> queries, tg::scalar<unsigned> keys, tg::scalar<unsigned> group,
                                tg::scalar<float> scale, LogSums... log_sums) {
      const attention_rows of{tg::let(block.index.z * queries), queries.get(), tg::let(block.index.z * keys), keys.get()};
      attend<Options, HeadSize, Sm>(block, of, q, k, v, o, group, scale, unchanged, [&](const auto& first, const auto& sums) {
        (put_log_sums<HeadSize>(log_sums, block.index.y, of, first, sums), ...);
      });
    }));

/// Sequences of different lengths: number s has the rows of q and o from `starts(s)` to before `starts(s + 1)`, and those of k
/// and v from `key_starts(s)` on; the last elements of both are the numbers of all rows. Requires: `starts` ascends; from each
/// start on, the tiles of the longest sequence end below 2^32. All else as `attention_tiles` says. Launch with
/// `attention_tiles_grid(kernel, queries of the longest, heads, sequences)`.
template <class T, int HeadSize, attention_options Options = attention_options{}, int Sm = 80, class... LogSums>
inline constexpr auto attention_ragged = tg::kernel<"attention_ragged">(
    attention_block<HeadSize, Sm, Options>,
    with_height_of<HeadSize>([](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k,
                                tg::in2<T, tg::multiple_of<8>> v, tg::out2<T, tg::multiple_of<8>> o, tg::in<unsigned> starts,
                                tg::in<unsigned> key_starts, tg::scalar<unsigned> group, tg::scalar<float> scale,
                                LogSums... log_sums) {
      const auto s = block.index.z;
      const auto begin = tg::let(starts(s));
      const auto end = tg::let(starts(s + 1_c));
      tg::assume(begin <= end);
      tg::assume(begin <= 0xffffffffu - block.grid.x * tg::constant<attention_height<HeadSize>>{});
      const auto key_begin = tg::let(key_starts(s));
      const attention_rows of{begin, tg::let(end - begin), key_begin, tg::let(key_starts(s + 1_c) - key_begin)};
      attend<Options, HeadSize, Sm>(block, of, q, k, v, o, group, scale, unchanged, [&](const auto& first, const auto& sums) {
        (put_log_sums<HeadSize>(log_sums, block.index.y, of, first, sums), ...);
      });
    }));

/// Blocks for `batch` sequences of `queries` positions and `heads` heads of q, of one of these kernels or of variants of one.
/// Errors: TG165.
template <class Kernel> requires std::is_class_v<Kernel>
constexpr auto attention_tiles_grid(const Kernel&, unsigned queries, unsigned heads, unsigned batch,
                                    source_location where = source_location::current()) {
  using tile = tile_of_kernel<attention_extents, Kernel>;
  (void)sizeof(grid_of_a_kernel<tile::value, Kernel>);
  constexpr unsigned height = tile::value_of.height;
  return tg::grid((queries + height - 1) / height, heads, batch, where);
}
/// The size of a head alone may be another than the kernel's. Errors: TG165.
template <auto... HeadSize> constexpr auto attention_tiles_grid(unsigned queries, unsigned heads, unsigned batch) {
  (void)sizeof(grid_of_a_kernel<(sizeof...(HeadSize) > 1)>);
  return tg::grid(queries, heads, batch);
}

}  // namespace tg::kernels
