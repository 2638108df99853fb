// Attention for decoding, of arrays: `auto o = tg::attention_decode<128, options>(q, keys, values, table, lengths);`.
//
//   q, o           (sequences, heads, size) of one token each    or (sequences, tokens, heads, size)
//   keys, values   (slots, key heads, size)                      or (pages, page, key heads, size)
//   table          (sequences, pages of a sequence)              or (sequences): first slots, without pages
//   lengths        (sequences)
//   slopes, tree   (heads)                                       (tokens, tokens) or (sequences, tokens, tokens)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include <kernels/arrays/operands.hpp>
#include <kernels/attention_decode.hpp>

namespace tg {

/// Where keys are and which of them a query sees: `tg::attention_decode<128, tg::decode_options{.page = 16}>(...)`.
using decode_options = kernels::attention_decode_options;

/// What attention for decoding is asked for: `tg::attention_decode<128>(q, keys, values, table, lengths, {.splits = 8})`.
struct attention_decode_call {
  float scale = 0;      ///< What scores are multiplied by, above 0; 0: 1 / the root of the size of a head.
  unsigned splits = 0;  ///< Parts that the keys of each sequence are divided in; 0: as many as give each multiprocessor work.
};

namespace detail {

template <class X>
inline constexpr bool is_array_of_places =
    std::is_same_v<element_of_expression<X>, int> || std::is_same_v<element_of_expression<X>, unsigned>;

template <decode_options Options, class Q, class K, class V, class Table, class Lengths> consteval bool are_decode_operands() {
  using T = element_of_expression<Q>;
  constexpr int rank = rank_of_operand<Q>, rank_of_keys = rank_of_operand<K>;
  return (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) && std::is_same_v<element_of_expression<K>, T> &&
         std::is_same_v<element_of_expression<V>, T> && (rank == 3 || rank == 4) && (rank_of_keys == 3 || rank_of_keys == 4) &&
         rank_of_operand<V> == rank_of_keys && is_array_of_places<Table> && is_array_of_places<Lengths> &&
         rank_of_operand<Table> == (Options.page == 0 ? 1 : 2) && rank_of_operand<Lengths> == 1;
}
/// Whether `Extra` are the slopes and the tree that the options ask for.
template <decode_options Options, class... Extra> consteval bool are_decode_biases() {
  constexpr bool are_floats = (std::is_same_v<element_of_expression<Extra>, float> && ...);
  constexpr int ranks[] = {rank_of_operand<Extra>..., 0, 0};
  constexpr int tree = Options.alibi ? 1 : 0;
  return are_floats && sizeof...(Extra) == (Options.alibi ? 1 : 0) + (Options.tree ? 1 : 0) &&
         (!Options.alibi || ranks[0] == 1) && (!Options.tree || ranks[tree] == 2 || ranks[tree] == 3);
}

/// The extents of attention for decoding, as its kernels take them.
struct decode_sizes {
  unsigned sequences, tokens, heads, key_heads, size, slots;

  unsigned group() const { return heads / key_heads; }
  unsigned rows() const { return tokens * group(); }
  unsigned all_rows() const { return sequences * tokens * heads; }
};

/// Errors: TG700 where q, keys, table and lengths do not belong together; TG705 for pages of another size, or too many rows.
template <decode_options Options, int Rank, int KeyRank, int TableRank>
decode_sizes decode_sizes_of(const array_shape<Rank>& q, const array_shape<KeyRank>& keys, const array_shape<KeyRank>& values,
                             const array_shape<TableRank>& table, const array_shape<1>& lengths, source_location where) {
  require_equal_shapes(keys, values, "keys and values of tg::attention_decode", where);
  const std::int64_t tokens = Rank == 4 ? q[1] : 1, heads = q[Rank - 2], size = q[Rank - 1];
  const std::int64_t key_heads = keys[KeyRank - 2], slots = KeyRank == 4 ? keys[0] * keys[1] : keys[0];
  if (keys[KeyRank - 1] != size || key_heads == 0 || heads % key_heads != 0)
    throw error(shapes_differ,
                "q and keys of tg::attention_decode have the shapes " + shape_text(q.extents.data(), Rank) + " and " +
                    shape_text(keys.extents.data(), KeyRank),
                "q is (sequences, tokens, heads, size), keys are (pages, page, key heads, size), of one size; heads are a "
                "multiple of key heads",
                where);
  if (table[0] != q[0] || lengths[0] != q[0])
    throw error(shapes_differ,
                "q, table and lengths of tg::attention_decode have the shapes " + shape_text(q.extents.data(), Rank) + ", " +
                    shape_text(table.extents.data(), TableRank) + " and " + shape_text(lengths.extents.data(), 1),
                "the first extent of each is the number of sequences", where);
  constexpr std::int64_t page = Options.page, window = Options.window;
  if constexpr (page != 0)
    if ((KeyRank == 4 && keys[1] != page) || slots % page != 0)
      refuse_shape("tg::attention_decode with pages of " + std::to_string(page) + " keys of an array of shape " +
                       shape_text(keys.extents.data(), KeyRank),
                   "name the size of a page: tg::attention_decode<128, tg::decode_options{.page = 16}>(...)", where);
  constexpr std::int64_t limit = 0x80000000 - 128;
  (void)extent_below(slots + tokens + window, limit, "slots, tokens and the window of tg::attention_decode", where);
  (void)extent_below(q.count() / std::max<std::int64_t>(size, 1), limit, "rows of q of tg::attention_decode", where);
  return {static_cast<unsigned>(q[0]),      static_cast<unsigned>(tokens), static_cast<unsigned>(heads),
          static_cast<unsigned>(key_heads), static_cast<unsigned>(size),   static_cast<unsigned>(slots)};
}

/// Errors: TG700 unless there is a slope for each head.
inline void require_decode_bias(const array_shape<1>& slopes, const decode_sizes& n, source_location where) {
  require_equal_shapes(slopes, array_shape<1>(n.heads), "slopes and heads of tg::attention_decode", where);
}
/// Errors: TG700 unless the tree has a number for each two tokens.
template <int Rank> void require_decode_bias(const array_shape<Rank>& tree, const decode_sizes& n, source_location where) {
  array_shape<Rank> wanted;
  for (int k = 0; k < Rank; ++k) wanted[k] = Rank == 3 && k == 0 ? n.sequences : n.tokens;
  require_equal_shapes(tree, wanted, "tree and tokens of tg::attention_decode", where);
}

/// Calls `f(tg::constant<size>{})` with the size of a head: HeadSize, or of 0 the one of 64 and 128 that it is.
/// Errors: TG705 for another.
template <int HeadSize, class F> void with_decoded_head(unsigned size, source_location where, F f) {
  if constexpr (HeadSize == 0) {
    if (size == 64) return f(constant<64>{});
    if (size == 128) return f(constant<128>{});
  } else {
    if (size == HeadSize) return f(constant<HeadSize>{});
  }
  refuse_shape("tg::attention_decode<" + std::to_string(HeadSize) + "> of heads of " + std::to_string(size) + " elements",
               "name the last extent of q, a multiple of 8 from 16 to 256; 0 chooses between 64 and 128", where);
}

/// The elements of an array of places as a kernel takes them.
template <int Rank, class T> part<const unsigned> unsigned_places(const array_view<const T, Rank>& x) {
  return {x.context(), x.native(), x.size()};
}
/// What a kernel takes for slopes, and for a tree.
template <class F> void with_bias(const array_view<const float, 1>& slopes, const decode_sizes&, const F& f) {
  f(part_of_operand(slopes));
}
template <class F> void with_bias(const array_view<const float, 2>& tree, const decode_sizes& n, const F& f) {
  f(tg::matrix(part_of_operand(tree), n.tokens, n.tokens), 0u);
}
template <class F> void with_bias(const array_view<const float, 3>& tree, const decode_sizes& n, const F& f) {
  f(tg::matrix(part_of_operand(tree), std::size_t{n.sequences} * n.tokens, n.tokens), n.tokens);
}
/// Calls `f` with what the kernel takes for all of them.
template <class F> void with_biases(const decode_sizes&, const F& f) { f(); }
template <class F, class First, class... Rest>
void with_biases(const decode_sizes& n, const F& f, const First& first, const Rest&... rest) {
  with_bias(first, n,
            [&](const auto&... own) { with_biases(n, [&](const auto&... others) { f(own..., others...); }, rest...); });
}

/// Attention of `q` into `out`, both with the tokens of each head of keys behind each other.
template <decode_options Options, int HeadSize, class T, class Keys, class Table, class Lengths, class... Bias>
void decode_to(part<T> out, part<const T> q, device& gpu, const decode_sizes& n, const attention_decode_call& call,
               source_location where, const Keys& keys, const Keys& values, const Table& table, const Lengths& lengths,
               const Bias&... biases) {
  const bool is_low = n.rows() <= 16;
  const unsigned height = is_low ? 16 : 64, blocks = n.sequences * n.key_heads * ((n.rows() + height - 1) / height);
  constexpr std::size_t page = Options.page;
  const std::size_t width = table.size() / n.sequences;
  const auto longest = static_cast<unsigned>(page == 0 ? n.slots : std::min<std::size_t>(width * page, n.slots));
  const unsigned splits = call.splits != 0
                              ? call.splits
                              : kernels::attention_splits(blocks, longest, static_cast<unsigned>(gpu.limits().multiprocessors));
  const unsigned parts = extent_below(std::int64_t{splits} * n.all_rows(), std::int64_t{1} << 31,
                                      "rows of q in all parts of tg::attention_decode", where);
  const array<float, 2> sums(gpu, {parts, HeadSize}, where);
  const array<float, 1> log_sums(gpu, {parts}, where);
  const part<float> own_sums{sums.context(), sums.native(), sums.size()},
      own_log_sums{log_sums.context(), log_sums.native(), log_sums.size()};
  const auto cache = [&](const Keys& x) {
    return tg::matrix(part_of_operand(x), n.slots, std::size_t{n.key_heads} * HeadSize);
  };
  const float scale = call.scale != 0 ? call.scale : 1 / std::sqrt(static_cast<float>(HeadSize));
  with_biases(
      n,
      [&](const auto&... extra) {
        const auto launch = [&](auto rows) {
          constexpr int own_height = decltype(rows)::value;
          gpu.launch(kernels::attention_decode<T, HeadSize, own_height, Options>,
                     kernels::attention_decode_grid<own_height>(n.sequences, n.key_heads, n.rows(), splits, where),
                     tg::matrix(q, n.all_rows(), HeadSize), cache(keys), cache(values), unsigned_places(lengths),
                     tg::matrix(unsigned_places(table), n.sequences, width), tg::matrix(own_sums, parts, HeadSize),
                     own_log_sums, n.sequences, n.key_heads, n.tokens, n.group(), splits, scale, extra...);
        };
        if (is_low) launch(constant<16>{});
        else launch(constant<64>{});
      },
      biases...);
  gpu.launch(kernels::attention_join<T, HeadSize>, kernels::attention_join_grid(n.all_rows(), where),
             tg::matrix(own_sums, parts, HeadSize), own_log_sums, tg::matrix(out, n.all_rows(), HeadSize), n.all_rows(),
             splits);
}

template <int HeadSize, decode_options Options, class Q, class K, class V, class Table, class Lengths, class... Bias>
auto decode(const attention_decode_call& call, source_location where, const Q& q, const K& k, const V& v, const Table& table,
            const Lengths& lengths, const Bias&... biases) {
  using T = element_of_expression<Q>;
  constexpr int rank = rank_of_operand<Q>;
  constexpr bool fits = are_decode_operands<Options, Q, K, V, Table, Lengths>();
  constexpr bool have_biases = are_decode_biases<Options, Bias...>();
  constexpr bool is_size = HeadSize == 0 || (HeadSize >= 16 && HeadSize <= 256 && HeadSize % 8 == 0);
  static_assert(
      fits, "TG722: tg::attention_decode takes q, keys and values of f16 or bf16 and of rank 3 or 4, and int or unsigned as "
            "lengths of rank 1 and as a table, of rank 2 with pages, of rank 1 without; convert with tg::cast<tg::bf16>(q)");
  static_assert(
      have_biases,
      "TG722: tg::attention_decode takes slopes of rank 1 where the options say alibi, then a tree of rank 2 or 3 where "
      "they say tree, both of float, and nothing where they do not");
  static_assert(is_size, "TG722: tg::attention_decode takes heads of 16 to 256 elements, a multiple of 8");
  if constexpr (!fits || !have_biases || !is_size || !kernels::detail::are_decode_options<Options>()) {
    return refused_result<Q>();
  } else {
    const auto own_q = dense_operand(q, where);
    const auto keys = dense_operand(k, where);
    const auto values = dense_operand(v, where);
    const auto own_table = dense_operand(table, where);
    const auto own_lengths = dense_operand(lengths, where);
    require_one_device(own_q, keys, where);
    require_one_device(own_q, values, where);
    require_one_device(own_q, own_table, where);
    require_one_device(own_q, own_lengths, where);
    const decode_sizes n =
        decode_sizes_of<Options>(own_q.shape(), keys.shape(), values.shape(), own_table.shape(), own_lengths.shape(), where);
    if (!(call.scale >= 0 && call.scale <= std::numeric_limits<float>::max()))
      refuse_shape("tg::attention_decode with a scale of " + std::to_string(call.scale),
                   "a scale is above 0, or 0 for 1 / the root of the size of a head", where);
    device gpu = device_of_operand(own_q, where);
    array<T, rank> out(gpu, own_q.shape(), where);
    with_decoded_head<HeadSize>(n.size, where, [&](auto size) {
      const auto run = [&](const auto&... own) {
        (require_one_device(own_q, own, where), ...);
        (require_decode_bias(own.shape(), n, where), ...);
        if (out.size() == 0) return;
        if (n.slots == 0 || own_table.size() == 0) {
          out = T(0.0f);
          return;
        }
        const auto decode_rows = [&](part<T> to, part<const T> from) {
          decode_to<Options, decltype(size)::value>(to, from, gpu, n, call, where, keys, values, own_table, own_lengths,
                                                    own...);
        };
        if constexpr (rank == 3) {
          decode_rows(out.whole(), part_of_operand(own_q));
        } else {
          if (n.tokens == 1 || n.key_heads == 1) return decode_rows(out.whole(), part_of_operand(own_q));
          const array_shape<4> apart(n.sequences, n.tokens, n.key_heads, n.group() * n.size);
          const array<T, 4> moved = own_q.reshape(apart).template permute<0, 2, 1, 3>();
          array<T, 4> found(gpu, moved.shape(), where);
          decode_rows(found.whole(), part_of_operand(moved.view()));
          out.reshape(apart) = found.template permute<0, 2, 1, 3>();
        }
      };
      run(dense_operand(biases, where)...);
    });
    return out;
  }
}

}  // namespace detail

/// Attention of the last tokens of each sequence, whose keys and values are in a cache already, as the head of this file says
/// what the operands are; the result is as q. A token sees the keys of its sequence up to its own, of `lengths(s)` in all; a
/// length may be 0. Key j of sequence s is in slot table(s, j / page) * page + j % page; without pages in table(s) + j. Nothing
/// else of the cache is read. `Options`: pages and a window; alibi and a tree are for the functions below. `HeadSize`: the
/// elements of a head; 0 chooses between 64 and 128. Elements: f16 or bf16, all the same; table and lengths of int or unsigned.
/// Errors: TG700, TG702, TG704, TG705, TG722. Requires: table and lengths stay inside of the cache.
/// Units: sums in float, weights rounded to the type of the elements.
/// Cost: one pass over the keys for 16 rows of queries, or for 64 where there are more, a row for each token and each head of a
/// group; then one over the parts' sums. Several tokens with several heads of keys are copied in between.
/// Example: const auto o = tg::attention_decode<128, tg::decode_options{.page = 16}>(q, keys, values, table, lengths);
template <int HeadSize = 0, decode_options Options = decode_options{}, array_like Q, array_like K, array_like V,
          array_like Table, array_like Lengths>
auto attention_decode(const Q& q, const K& keys, const V& values, const Table& table, const Lengths& lengths,
                      const attention_decode_call& call = {}, source_location where = source_location::current()) {
  return detail::decode<HeadSize, Options>(call, where, q, keys, values, table, lengths);
}
/// With `alibi`, slopes of the heads; the slope times the distance of a key from the last one is added to scores. With `tree`,
/// a matrix (tokens, tokens), or one for each sequence: what is added to the scores of each token and each of the last keys,
/// minus infinity where the one does not see the other. All else as above.
template <int HeadSize = 0, decode_options Options, array_like Q, array_like K, array_like V, array_like Table,
          array_like Lengths, array_like Bias>
auto attention_decode(const Q& q, const K& keys, const V& values, const Table& table, const Lengths& lengths, const Bias& bias,
                      const attention_decode_call& call = {}, source_location where = source_location::current()) {
  return detail::decode<HeadSize, Options>(call, where, q, keys, values, table, lengths, bias);
}
/// With `alibi` and `tree`. All else as above.
template <int HeadSize = 0, decode_options Options, array_like Q, array_like K, array_like V, array_like Table,
          array_like Lengths, array_like Slopes, array_like Tree>
auto attention_decode(const Q& q, const K& keys, const V& values, const Table& table, const Lengths& lengths,
                      const Slopes& slopes, const Tree& tree, const attention_decode_call& call = {},
                      source_location where = source_location::current()) {
  return detail::decode<HeadSize, Options>(call, where, q, keys, values, table, lengths, slopes, tree);
}

}  // namespace tg
