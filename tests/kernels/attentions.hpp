// What tests of attention in tiles and of its gradients share: options, shapes, and PyTorch's inputs.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <kernels/attention_tiles.hpp>
#include <kernels/reference/attention.hpp>

#include "../f8_sums.hpp"
#include "../tile/tiles.hpp"

namespace attentions {

using tg::kernels::attention_options;

using shape = tg::kernels::reference::attention_shape;

inline constexpr attention_options all{}, causal{.causal = true};
template <unsigned Window> inline constexpr attention_options last{.causal = true, .window = Window};

/// How far a number of T may be from what it stands for, relative to it.
template <class T>
inline constexpr double unit = std::is_same_v<T, tg::bf16>  ? 0x1p-8
                               : std::is_same_v<T, tg::f16> ? 0x1p-11
                                                            : 0x1p-4;
/// How far a weight of T may be from what it stands for where it is small: half the distance of the smallest 8-bit floats,
/// which stand for weights up to 1 as numbers up to 256.
template <class T> inline constexpr double least = sizeof(T) == 1 ? 0x1p-18 : 0;

/// How far off attention is whose weights are rounded to T and whose results are rounded to Out.
template <class T, class Out>
tg::kernels::reference::attention_errors errors_of(unsigned size, unsigned keys, bool has_f8_sums) {
  return {.weight = (sizeof(T) == 1 ? 1 : 2) * unit<T>,
          .least_weight = least<T>,
          .result = unit<Out>,
          .scores = has_f8_sums ? error_of_f8_sums(static_cast<int>(size)) : 0,
          .sums = has_f8_sums ? error_of_f8_sums(static_cast<int>(keys)) : 0};
}

/// One sequence of attention: rows of q and o from `row` on, of k and v from `key_row` on; v and o are called with a row and a
/// column. The logarithm of row r of head h is log_sums(h, r). Weights are rounded to T, o to Out.
template <int Size, class T, class Out = T, class Q, class V, class O, class LogSums>
void check_sequence(tiles::excess& excess, const attention_options& options, const shape& s, unsigned row, unsigned key_row,
                    const Q& q, const Q& k, const V& v, const O& o, const LogSums& log_sums, bool has_f8_sums = false) {
  tg::kernels::reference::attend(
      errors_of<T, Out>(Size, s.keys, has_f8_sums), options, s, Size, row, key_row, q, k, v,
      [&](unsigned r, unsigned c, double wanted, double bound) { excess(o(r, c), wanted, bound); },
      [&]([[maybe_unused]] unsigned h, [[maybe_unused]] unsigned r, [[maybe_unused]] double wanted,
          [[maybe_unused]] double bound) {
        if constexpr (!std::is_same_v<LogSums, int>) {
          if (std::isinf(wanted)) CHECK(log_sums(h, r) == wanted);
          else excess(log_sums(h, r), wanted, bound);
        }
      });
}

/// The numbers from `first` on of the rule that attention_values.py and attention_gradient_values.py have too.
template <class T> tiles::matrix<T> ruled(std::uint32_t first, unsigned rows, unsigned columns) {
  tiles::matrix<T> out(rows, columns);
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c) out(r, c) = T(static_cast<float>(first++ * 2654435761u >> 24) / 64 - 2);
  return out;
}

}  // namespace attentions
