// Rotary position embeddings of arrays: `q = tg::rope(q, positions);`.
#pragma once

#include <string>
#include <type_traits>

#include <kernels/arrays/operands.hpp>
#include <kernels/rope.hpp>

namespace tg {

/// How elements of a head turn: `tg::rope(q, positions, {.base = 500000})`.
struct rope_options {
  double base = 10000;       ///< Pair k of n turns by base^(-k / n) radians from one position to the next.
  int pairs = 0;             ///< Elements behind so many pairs stay as they are; 0: all turn.
  bool interleaved = false;  ///< Elements 2k and 2k + 1 are a pair (GPT-J), else k and k + pairs (GPT-NeoX, Llama).
};

/// x (..., heads, size) with pairs of elements of each head turned by an angle that grows with the position of their token.
/// `positions`: int, a number for each token (...), or what broadcasts to that: one for each position of all sequences.
/// Elements: float, f16, bf16. Errors: TG700, TG702, TG705 for an odd size or too many pairs, TG722.
/// Units: angles are right to 2^-22 rad for positions below 2^24; one rounding to the type of the elements.
/// Cost: a copy of x, a read and a write of it, and a copy of the frequencies to the device.
/// Example: const auto turned = tg::rope(q, tg::index_of<0>(positions) + first);
template <array_like X, array_like P>
auto rope(const X& x, const P& positions, const rope_options& options = {},
          source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr int rank = detail::rank_of_operand<X>;
  static_assert((std::is_same_v<T, float> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>) && rank >= 3 &&
                    std::is_same_v<detail::element_of_expression<P>, int> && detail::rank_of_operand<P> <= rank - 2,
                "TG722: tg::rope takes x of float, f16 or bf16, (..., heads, size), and positions of int, (...); convert with "
                "tg::cast<int>(positions)");
  array<T, rank> y(x, where);
  array_shape<rank - 2> shape;
  for (int k = 0; k + 2 < rank; ++k) shape[k] = y.extent(k);
  const std::int64_t heads = y.extent(rank - 2), size = y.extent(rank - 1);
  const std::int64_t pairs = options.pairs == 0 ? size / 2 : options.pairs;
  if (size % 2 != 0 || pairs < 0 || 2 * pairs > size)
    detail::refuse_shape("tg::rope of " + std::to_string(pairs) + " pairs of heads of " + std::to_string(size) + " elements",
                         "a head has an even number of elements, two for each pair", where);
  const unsigned tokens = detail::extent_below(shape.count(), 65536 * 8 - 8, "tokens of tg::rope", where);
  const unsigned columns = detail::extent_below(heads * size, std::int64_t{1} << 31, "elements of a token of tg::rope", where);
  device gpu = detail::device_of_operand(y, where);
  array<int, rank - 2> own(gpu, shape, where);
  own = detail::assigned_expression<int, rank - 2>(positions, where);
  if (y.size() == 0 || pairs == 0) return y;
  const auto n = static_cast<unsigned>(pairs);
  const auto frequencies = gpu.upload(kernels::rope_frequencies(n, options.base));
  const auto launch = [&](const auto& kernel) {
    gpu.launch(kernel, kernels::rope_grid(tokens, n, where), tg::matrix(y, tokens, columns), frequencies, own.whole(), tokens,
               static_cast<unsigned>(heads), static_cast<unsigned>(size), n);
  };
  if (options.interleaved) launch(kernels::rope<T, kernels::rope_layout::interleaved>);
  else launch(kernels::rope<T, kernels::rope_layout::halves>);
  return y;
}

}  // namespace tg
