// Linear attention by the gated delta rule: `auto o = tg::gated_delta_rule(q, k, v, decay, rate, state);`.
#pragma once

#include <string>
#include <type_traits>

#include <kernels/arrays/operands.hpp>
#include <kernels/gated_delta_rule.hpp>

namespace tg {

namespace detail {

template <class Q, class K, class V, class D, class R> consteval bool are_delta_operands() {
  using T = element_of_expression<Q>;
  constexpr bool has_elements = std::is_same_v<T, float> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
  constexpr bool are_alike = std::is_same_v<element_of_expression<K>, T> && std::is_same_v<element_of_expression<V>, T>;
  constexpr bool are_floats =
      std::is_same_v<element_of_expression<D>, float> && std::is_same_v<element_of_expression<R>, float>;
  return has_elements && are_alike && are_floats && rank_of_operand<Q> == 4 && rank_of_operand<K> == 4 &&
         rank_of_operand<V> == 4 && rank_of_operand<D> == 3 && rank_of_operand<R> == 3;
}

/// Errors: TG700 unless these are the shapes of one call.
inline void require_delta_shapes(const array_shape<4>& q, const array_shape<4>& k, const array_shape<4>& v,
                                 const array_shape<3>& decay, const array_shape<3>& rate, const array_shape<4>& state,
                                 source_location where) {
  require_equal_shapes(q, k, "q and k of tg::gated_delta_rule", where);
  require_equal_shapes(array_shape<3>(v[0], v[1], v[2]), decay, "tokens with their heads and decay of tg::gated_delta_rule",
                       where);
  require_equal_shapes(decay, rate, "decay and rate of tg::gated_delta_rule", where);
  if (q[0] != v[0] || q[1] != v[1] || q[2] < 1 || v[2] % q[2] != 0)
    throw error(
        shapes_differ,
        "q and v of tg::gated_delta_rule have the shapes " + shape_text(q.extents.data(), 4) + " and " +
            shape_text(v.extents.data(), 4),
        "they are (batch, tokens, heads, size), of one batch and as many tokens; heads of v are a multiple of those of q",
        where);
  require_equal_shapes(array_shape<4>(v[0], v[2], q[3], v[3]), state,
                       "(batch, heads, size of keys, size of values) and the state of tg::gated_delta_rule", where);
}

}  // namespace detail

/// o of the gated delta rule, token by token: q and k are (batch, tokens, key heads, KeySize), v and o (batch, tokens, heads,
/// ValueSize), decay and rate (batch, tokens, heads); heads / key heads of v share one of q and k. `state`, (batch, heads,
/// KeySize, ValueSize), holds what earlier tokens left, zeros at first, and then what these leave: one token is a step of
/// decoding. Elements: float, f16, bf16; of decay, rate and state float. KeySize: 64, 128, 256; ValueSize: a multiple of 32.
/// Errors: TG700, TG702, TG704, TG705 where KeySize or ValueSize is not that of the arrays, TG722.
/// Units: sums are of floats; o is rounded once.
/// Cost: reads and writes the state once, however many tokens there are; reads q and k once for each 32 columns of a value.
template <int KeySize = 128, int ValueSize = 128, array_like Q, array_like K, array_like V, array_like D, array_like R>
auto gated_delta_rule(const Q& q, const K& k, const V& v, const D& decay, const R& rate, array<float, 4>& state,
                      source_location where = source_location::current()) {
  using T = detail::element_of_expression<Q>;
  static_assert(
      detail::are_delta_operands<Q, K, V, D, R>() && (KeySize == 64 || KeySize == 128 || KeySize == 256) && ValueSize > 0 &&
          ValueSize % 32 == 0,
      "TG722: tg::gated_delta_rule takes q, k and v of rank 4 and of float, f16 or bf16, decay and rate of float and rank "
      "3, keys of 64, 128 or 256 elements and values of a multiple of 32");
  const auto own_q = detail::dense_operand(q, where), own_k = detail::dense_operand(k, where),
             own_v = detail::dense_operand(v, where);
  const auto own_decay = detail::dense_operand(decay, where), own_rate = detail::dense_operand(rate, where);
  detail::require_allocated(state.is_allocated(), where);
  detail::require_one_device(own_q, own_k, where);
  detail::require_one_device(own_q, own_v, where);
  detail::require_one_device(own_q, own_decay, where);
  detail::require_one_device(own_q, own_rate, where);
  detail::require_one_device(own_q, state, where);
  detail::require_delta_shapes(own_q.shape(), own_k.shape(), own_v.shape(), own_decay.shape(), own_rate.shape(), state.shape(),
                               where);
  if (own_q.extent(3) != KeySize || own_v.extent(3) != ValueSize)
    detail::refuse_shape("tg::gated_delta_rule<" + std::to_string(KeySize) + ", " + std::to_string(ValueSize) +
                             "> of keys of " + std::to_string(own_q.extent(3)) + " and values of " +
                             std::to_string(own_v.extent(3)) + " elements",
                         "name the last extents of q and v: tg::gated_delta_rule<64, 64>(...)", where);
  const unsigned batch = detail::extent_below(own_v.extent(0), 65536, "sequences of tg::gated_delta_rule", where);
  const unsigned heads = detail::extent_below(own_v.extent(2), 65536, "heads of tg::gated_delta_rule", where);
  constexpr std::int64_t limit = std::int64_t{1} << 31;
  const unsigned rows = detail::extent_below(batch * own_v.extent(1), limit, "tokens of tg::gated_delta_rule", where);
  const unsigned states = detail::extent_below(std::int64_t{batch} * heads * KeySize, limit, "rows of states", where);
  device gpu = detail::device_of_operand(own_q, where);
  array<T, 4> out(gpu, own_v.shape(), where);
  if (out.size() == 0) return out;
  const auto key_heads = static_cast<unsigned>(own_q.extent(2));
  const auto matrix = [&](const auto& x, unsigned columns) { return tg::matrix(detail::part_of_operand(x), rows, columns); };
  gpu.launch(kernels::gated_delta_rule<T, KeySize, ValueSize>, kernels::gated_delta_rule_grid<ValueSize>(heads, batch, where),
             matrix(own_q, key_heads * KeySize), matrix(own_k, key_heads * KeySize), matrix(own_v, heads * ValueSize),
             matrix(own_decay, heads), matrix(own_rate, heads), tg::matrix(state, states, ValueSize),
             tg::matrix(out, rows, heads * ValueSize), static_cast<unsigned>(own_v.extent(1)), heads / key_heads);
  return out;
}

}  // namespace tg
