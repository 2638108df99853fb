// Attention of arrays and its gradients: `auto o = tg::attention(q, k, v, {.causal = true});`.
//
//   q, o   (batch, queries, heads, size)       or (queries, heads, size) of one sequence
//   k, v   (batch, keys, key_heads, size)      or (keys, key_heads, size); heads / key_heads heads of q share one of k and v
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include <kernels/arrays/operands.hpp>
#include <kernels/attention_backward.hpp>
#include <kernels/attention_tiles.hpp>
#include <tg/runtime/variants.hpp>

namespace tg {

/// What attention is asked for: `tg::attention(q, k, v, {.causal = true})`.
struct attention_call {
  bool causal = false;  ///< The last query sees all keys, each one before it one less.
  float scale = 0;      ///< What scores are multiplied by, above 0; 0: 1 / the root of the size of a head.
};

/// What `tg::attention_with_log_sums` returns: the result, and the logarithm of the sum of exponentials of each query's scores,
/// (heads, batch * queries), which gradients read.
template <class T, int Rank> struct attention_result {
  array<T, Rank> out;
  array<float, 2> log_sums;
};

/// What `tg::attention_gradients` returns: the gradients of q, k and v.
template <class T, int Rank> struct attention_slopes { array<T, Rank> q, k, v; };

namespace detail {

template <class Q, class K, class V> consteval bool are_attention_operands() {
  using T = element_of_expression<Q>;
  constexpr int rank = rank_of_operand<Q>;
  return (std::is_same_v<T, f16> || std::is_same_v<T, bf16>) && std::is_same_v<element_of_expression<K>, T> &&
         std::is_same_v<element_of_expression<V>, T> && (rank == 3 || rank == 4) && rank_of_operand<K> == rank &&
         rank_of_operand<V> == rank;
}

/// The extents of attention, as its kernels take them.
struct attention_sizes {
  unsigned batch, queries, keys, heads, key_heads, size;

  unsigned group() const { return heads / key_heads; }
  unsigned rows() const { return batch * queries; }
  unsigned key_rows() const { return batch * keys; }
};

/// Errors: TG700 where q, k and v do not belong together; TG705 for a size of heads that has no kernel, or too many rows.
template <int Rank>
attention_sizes attention_sizes_of(const array_shape<Rank>& q, const array_shape<Rank>& k, const array_shape<Rank>& v,
                                   unsigned window, source_location where) {
  require_equal_shapes(k, v, "k and v of tg::attention", where);
  constexpr int at = Rank - 3;
  const std::int64_t batch = Rank == 4 ? q[0] : 1;
  if ((Rank == 4 && k[0] != batch) || k[at + 2] != q[at + 2] || k[at + 1] == 0 || q[at + 1] % k[at + 1] != 0)
    throw error(shapes_differ,
                "q and k of tg::attention have the shapes " + shape_text(q.extents.data(), Rank) + " and " +
                    shape_text(k.extents.data(), Rank),
                "they are (batch, positions, heads, size), of one batch and size; heads of q are a multiple of those of k",
                where);
  constexpr std::int64_t limit = 0x80000000 - 128;
  (void)extent_below(q[at] + k[at] + window, limit, "queries, keys and the window of tg::attention", where);
  (void)extent_below(batch, 65536, "sequences of tg::attention", where);
  (void)extent_below(q[at + 1], 65536, "heads of tg::attention", where);
  (void)extent_below(batch * q[at], limit, "queries of all sequences of tg::attention", where);
  (void)extent_below(batch * k[at], limit, "keys of all sequences of tg::attention", where);
  return {static_cast<unsigned>(batch),     static_cast<unsigned>(q[at]),     static_cast<unsigned>(k[at]),
          static_cast<unsigned>(q[at + 1]), static_cast<unsigned>(k[at + 1]), static_cast<unsigned>(q[at + 2])};
}

/// The elements of positions with their heads as a matrix: a row for each position of all sequences.
template <class T, int Rank> auto head_rows(const array_view<const T, Rank>& x) {
  const std::int64_t columns = x.extent(Rank - 1) * x.extent(Rank - 2);
  const auto rows = static_cast<std::size_t>(columns == 0 ? 0 : static_cast<std::int64_t>(x.size()) / columns);
  return tg::matrix(part_of_operand(x), rows, static_cast<std::size_t>(columns));
}
template <class T, int Rank> auto head_rows(array<T, Rank>& x) {
  const std::int64_t columns = x.extent(Rank - 1) * x.extent(Rank - 2);
  const auto rows = static_cast<std::size_t>(columns == 0 ? 0 : static_cast<std::int64_t>(x.size()) / columns);
  return tg::matrix(x.whole(), rows, static_cast<std::size_t>(columns));
}

/// Calls `f(tg::constant<size>{})` with the size of a head: HeadSize, or of 0 the one of 64 and 128 that it is.
/// Errors: TG705 for another.
template <int HeadSize, class F> void with_head_size(unsigned size, source_location where, F f) {
  if constexpr (HeadSize != 0) {
    static_assert(HeadSize >= 16 && HeadSize <= 256 && HeadSize % 8 == 0,
                  "TG722: tg::attention takes heads of 16 to 256 elements, a multiple of 8");
    if (size == HeadSize) return f(constant<HeadSize>{});
    refuse_shape("tg::attention<" + std::to_string(HeadSize) + "> of heads of " + std::to_string(size) + " elements",
                 "name the last extent of q", where);
  } else {
    if (size == 64) return f(constant<64>{});
    if (size == 128) return f(constant<128>{});
    refuse_shape("tg::attention of heads of " + std::to_string(size) + " elements",
                 "it chooses between 64 and 128 by itself; name another, a multiple of 8 up to 256: tg::attention<96>(q, k, v)",
                 where);
  }
}
/// Calls `f.template operator()<options>()` with the mask.
template <unsigned Window, class F> void with_attention_mask(const attention_call& call, source_location where, F f) {
  if constexpr (Window == 0)
    if (!call.causal) return f.template operator()<kernels::attention_options{}>();
  if (!call.causal)
    refuse_shape("tg::attention with a window of " + std::to_string(Window) + " keys is not causal",
                 "write {.causal = true}: a window is of the last keys that a query sees", where);
  f.template operator()<kernels::attention_options{.causal = true, .window = Window}>();
}

/// Errors: TG705 for a scale below 0, and one that is not finite.
inline float attention_scale(const attention_call& call, unsigned size, source_location where) {
  if (!(call.scale >= 0 && call.scale <= std::numeric_limits<float>::max()))
    refuse_shape("tg::attention with a scale of " + std::to_string(call.scale),
                 "a scale is above 0, or 0 for 1 / the root of the size of a head; for another sign, negate q", where);
  return call.scale != 0 ? call.scale : 1 / std::sqrt(static_cast<float>(size));
}

/// The parameter of a kernel that a matrix of logarithms is given to.
template <class> using to_log_sums = tg::out2<float>;

/// Launches attention, with the logarithms of the sums where `log_sums` is a matrix of floats.
template <kernels::attention_options Options, int HeadSize, class T, class X, class Out, class... LogSums>
void launch_attention(device& gpu, const attention_sizes& n, float scale, source_location where, const X& q, const X& k,
                      const X& v, const Out& out, const LogSums&... log_sums) {
  constexpr auto& ampere = kernels::attention_tiles<T, HeadSize, Options, 80, to_log_sums<LogSums>...>;
  constexpr auto& hopper = kernels::attention_tiles<T, HeadSize, Options, 90, to_log_sums<LogSums>...>;
  tg::variants(tg::requires_exactly_sm<90>(hopper), ampere)
      .launch(gpu, kernels::attention_tiles_grid(ampere, n.queries, n.heads, n.batch, where), q, k, v, out, n.queries, n.keys,
              n.group(), scale, log_sums...);
}

/// q, k and v in memory, and their extents.
template <class T, int Rank> struct attention_operands {
  array_view<const T, Rank> q, k, v;
  attention_sizes n;
  device gpu;
};
/// Errors: TG700, TG702, TG704, TG705.
template <class Q, class K, class V>
auto attention_operands_of(const Q& q, const K& k, const V& v, unsigned window, source_location where) {
  const auto own_q = dense_operand(q, where);
  const auto own_k = dense_operand(k, where);
  const auto own_v = dense_operand(v, where);
  require_one_device(own_q, own_k, where);
  require_one_device(own_q, own_v, where);
  const auto n = attention_sizes_of(own_q.shape(), own_k.shape(), own_v.shape(), window, where);
  return attention_operands<element_of_expression<Q>, rank_of_operand<Q>>{own_q, own_k, own_v, n,
                                                                          device_of_operand(own_q, where)};
}

/// Attention into `out`, of the shape of q.
template <int HeadSize, unsigned Window, class T, int Rank, class... LogSums>
void attend_to(array<T, Rank>& out, attention_operands<T, Rank>& x, const attention_call& call, source_location where,
               LogSums&... log_sums) {
  const auto& n = x.n;
  with_head_size<HeadSize>(n.size, where, [&](auto size) {
    with_attention_mask<Window>(call, where, [&]<kernels::attention_options Options>() {
      if (out.size() == 0) return;
      if (n.keys == 0) {
        out = T(0.0f);
        ((log_sums = -std::numeric_limits<float>::infinity()), ...);
        return;
      }
      launch_attention<Options, decltype(size)::value, T>(x.gpu, n, attention_scale(call, n.size, where), where, head_rows(x.q),
                                                          head_rows(x.k), head_rows(x.v), head_rows(out),
                                                          tg::matrix(log_sums, n.heads, n.rows())...);
    });
  });
}

/// Launches the gradients of attention: that of q, then those of k and v.
template <kernels::attention_options Options, int HeadSize, class T, int Rank, class D>
void launch_attention_gradients(attention_operands<T, Rank>& x, float scale, source_location where, const D& d_out,
                                const array<float, 2>& log_sums, const array<float, 2>& delta, attention_slopes<T, Rank>& out) {
  const auto& n = x.n;
  const auto q = head_rows(x.q), k = head_rows(x.k), v = head_rows(x.v), slope = head_rows(d_out);
  const auto sums = tg::matrix(log_sums, n.heads, n.rows()), deltas = tg::matrix(delta, n.heads, n.rows());
  using kernels::attention_key_gradient, kernels::attention_query_gradient;
  tg::variants(tg::requires_exactly_sm<90>(attention_query_gradient<T, HeadSize, Options, 90>),
               attention_query_gradient<T, HeadSize, Options>)
      .launch(x.gpu, kernels::attention_gradient_grid(n.queries, n.heads, n.batch, where), q, k, v, slope, sums, deltas,
              head_rows(out.q), n.queries, n.keys, n.group(), scale);
  tg::variants(tg::requires_exactly_sm<90>(attention_key_gradient<T, HeadSize, Options, 90>),
               attention_key_gradient<T, HeadSize, Options>)
      .launch(x.gpu, kernels::attention_gradient_grid(n.keys, n.key_heads, n.batch, where), q, k, v, slope, sums, deltas,
              head_rows(out.k), head_rows(out.v), n.queries, n.keys, n.group(), scale);
}

}  // namespace detail

/// softmax(scale * q k^T) v of each head, as the head of this file says what q, k and v are; the result is as q. A query that
/// sees no key gets zeros. Elements: f16 or bf16, all the same. `HeadSize`: the elements of a head; 0 chooses between 64 and
/// 128, others are named: `tg::attention<96>(q, k, v)`. `Window`: with causal, the last so many keys that a query sees; 0 for
/// all. Errors: TG700, TG702, TG705, TG722.
/// Units: sums in float, weights rounded to the type of the elements.
/// Cost: one pass over the keys for 128 queries of a head up to 64 elements, for 64 queries of a larger one. Operands that are
/// no dense arrays are copied first. A named size halves the time that the compiler takes.
template <int HeadSize = 0, unsigned Window = 0, array_like Q, array_like K, array_like V>
auto attention(const Q& q, const K& k, const V& v, const attention_call& call = {},
               source_location where = source_location::current()) {
  static_assert(detail::are_attention_operands<Q, K, V>(),
                "TG722: tg::attention takes q, k and v of f16 or bf16, all of rank 3 or 4 and of one type; "
                "convert with tg::cast<tg::bf16>(q)");
  if constexpr (detail::are_attention_operands<Q, K, V>()) {
    auto own = detail::attention_operands_of(q, k, v, Window, where);
    array<detail::element_of_expression<Q>, detail::rank_of_operand<Q>> out(own.gpu, own.q.shape(), where);
    detail::attend_to<HeadSize, Window>(out, own, call, where);
    return out;
  }
}

/// As `tg::attention`, and what its gradients need. Returns: `.out` and `.log_sums`; the latter is minus infinity where a query
/// sees no key. Errors: TG700, TG702, TG705, TG722.
template <int HeadSize = 0, unsigned Window = 0, array_like Q, array_like K, array_like V>
auto attention_with_log_sums(const Q& q, const K& k, const V& v, const attention_call& call = {},
                             source_location where = source_location::current()) {
  static_assert(detail::are_attention_operands<Q, K, V>(),
                "TG722: tg::attention_with_log_sums takes q, k and v of f16 or bf16, all of rank 3 or 4 and of one type; "
                "convert with tg::cast<tg::bf16>(q)");
  if constexpr (detail::are_attention_operands<Q, K, V>()) {
    auto own = detail::attention_operands_of(q, k, v, Window, where);
    attention_result<detail::element_of_expression<Q>, detail::rank_of_operand<Q>> out{
        {own.gpu, own.q.shape(), where}, {own.gpu, {own.n.heads, own.n.rows()}, where}};
    detail::attend_to<HeadSize, Window>(out.out, own, call, where, out.log_sums);
    return out;
  }
}

/// The gradients of q, k and v from that of the result, for the same call. `forward`: what `tg::attention_with_log_sums`
/// returned for these operands; `d_out` is as its `.out`. Returns: `.q`, `.k` and `.v`. Errors: TG700, TG702, TG705, TG722.
/// Cost: the products of the scores twice; each result has one writer, and sums come out the same each time.
/// Example: const auto f = tg::attention_with_log_sums(q, k, v);
///          const auto slope = tg::attention_gradients(q, k, v, f, d_out);
template <int HeadSize = 0, unsigned Window = 0, array_like Q, array_like K, array_like V, class T, int Rank, array_like D>
auto attention_gradients(const Q& q, const K& k, const V& v, const attention_result<T, Rank>& forward, const D& d_out,
                         const attention_call& call = {}, source_location where = source_location::current()) {
  static_assert(detail::are_attention_operands<Q, K, V>() && detail::are_attention_operands<Q, array<T, Rank>, D>(),
                "TG722: tg::attention_gradients takes q, k, v and the gradient of f16 or bf16, all of one rank and type; "
                "convert with tg::cast<tg::bf16>(d_out)");
  if constexpr (detail::are_attention_operands<Q, K, V>() && detail::are_attention_operands<Q, array<T, Rank>, D>()) {
    auto own = detail::attention_operands_of(q, k, v, Window, where);
    const auto own_out = detail::dense_operand(forward.out, where), slope = detail::dense_operand(d_out, where);
    for (const auto* each : {&own_out, &slope}) {
      detail::require_one_device(own.q, *each, where);
      detail::require_equal_shapes(own.q.shape(), each->shape(), "q and a result or its gradient of tg::attention_gradients",
                                   where);
    }
    const auto& n = own.n;
    detail::require_equal_shapes(array_shape<2>(n.heads, n.rows()), forward.log_sums.shape(),
                                 "heads and queries and the sums of tg::attention_gradients", where);
    attention_slopes<T, Rank> out{
        {own.gpu, own.q.shape(), where}, {own.gpu, own.k.shape(), where}, {own.gpu, own.k.shape(), where}};
    detail::with_head_size<HeadSize>(n.size, where, [&](auto size) {
      detail::with_attention_mask<Window>(call, where, [&]<kernels::attention_options Options>() {
        if (own.q.size() == 0 || own.k.size() == 0) {
          for (auto* each : {&out.q, &out.k, &out.v})
            if (each->size() > 0) *each = T(0.0f);
          return;
        }
        constexpr int head_size = decltype(size)::value;
        array<float, 2> delta(own.gpu, {n.heads, n.rows()}, where);
        own.gpu.launch(kernels::attention_deltas<T, head_size>, kernels::attention_deltas_grid(n.rows(), n.heads, where),
                       detail::head_rows(own_out), detail::head_rows(slope), tg::matrix(delta, n.heads, n.rows()), n.rows());
        detail::launch_attention_gradients<Options, head_size>(own, detail::attention_scale(call, n.size, where), where, slope,
                                                               forward.log_sums, delta, out);
      });
    });
    return out;
  }
}

}  // namespace tg
