// The shape of a matrix instruction: `.m16n8k32`.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include <tg/ptx/ir/token.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::ptx {

/// Rows, columns and depth of a product; all 0 where there is none.
struct matrix_shape {
  std::size_t m = 0, n = 0, k = 0;
  friend constexpr bool operator==(const matrix_shape&, const matrix_shape&) = default;
};

/// What the first of `tokens` that names all three says.
constexpr matrix_shape to_matrix_shape(std::span<const token> tokens) {
  for (const token t : tokens) {
    const std::string_view text = name(t);
    if (text[0] != 'm' || text[1] < '0' || text[1] > '9') continue;
    matrix_shape out;
    std::size_t* extent = nullptr;
    for (const char c : text)
      if (c >= '0' && c <= '9') *extent = 10 * *extent + static_cast<std::size_t>(c - '0');
      else extent = c == 'm' ? &out.m : c == 'n' ? &out.n : &out.k;
    if (out.k != 0) return out;
  }
  return {};
}

}  // namespace tg::ptx
