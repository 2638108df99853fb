// What tests of attention in tiles and of its gradients share: options, shapes, and PyTorch's inputs.
#pragma once

#include <cstdint>
#include <type_traits>

#include <kernels/attention_tiles.hpp>

#include "../tile/tiles.hpp"

namespace attentions {

using tg::kernels::attention_options;

struct shape { unsigned queries, keys, heads = 1, group = 1, batch = 1; };

inline constexpr attention_options all{}, causal{.causal = true};
template <unsigned Window> inline constexpr attention_options last{.causal = true, .window = Window};

/// How far a number of T may be from what it stands for, relative to it.
template <class T> inline constexpr double unit = std::is_same_v<T, tg::bf16> ? 0x1p-8 : 0x1p-11;

/// Whether query i of `queries` sees key j of `keys`.
constexpr bool is_seen(const attention_options& o, unsigned i, unsigned queries, unsigned j, unsigned keys) {
  if (!o.causal) return true;
  const long long end = 1LL + i + keys - queries;
  return j < end && (o.window == 0 || j + static_cast<long long>(o.window) >= end);
}

/// The numbers from `first` on of the rule that attention_values.py and attention_gradient_values.py have too.
template <class T> tiles::matrix<T> ruled(std::uint32_t first, unsigned rows, unsigned columns) {
  tiles::matrix<T> out(rows, columns);
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c) out(r, c) = T(static_cast<float>(first++ * 2654435761u >> 24) / 64 - 2);
  return out;
}

}  // namespace attentions
