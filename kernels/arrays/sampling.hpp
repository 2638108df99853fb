// Tokens drawn from rows of logits: `const auto tokens = tg::sample(logits, {.k = 40, .p = 0.9f, .step = step});`.
#pragma once

#include <cmath>
#include <string>

#include <kernels/arrays/operands.hpp>
#include <kernels/arrays/top_k.hpp>
#include <kernels/sampling.hpp>
#include <kernels/top_p.hpp>

namespace tg {

/// How tokens are drawn: `tg::sample(logits, {.k = 40, .p = 0.9f, .temperature = 0.7f, .seed = 42, .step = step})`.
struct sampling_options {
  int k = 0;              ///< Only among the k largest logits, up to 64; 0: among all of them.
  float p = 1;            ///< Only among the fewest of these that have this share of their sum.
  float temperature = 1;  ///< What logits are divided by; finite, above 0.
  unsigned seed = 0;      ///< Another seed, other tokens.
  unsigned step = 0;      ///< The number of the token in its text: each step draws anew.
};

/// A column of each row of logits, drawn with a probability in proportion to exp(logit / temperature); k = 1 takes the largest.
/// The number that is drawn follows from seed, step and row alone. Elements: float, f16, bf16; rank 1 gives one token.
/// Returns: an int for each row. Errors: TG705 for k, p or a temperature out of their ranges, or rows without elements, TG722.
/// Requires: each row has a finite logit and no NaN or infinity; -infinity is never drawn.
/// Cost: with k a read of the logits, without k three.
template <array_like X>
auto sample(const X& logits, const sampling_options& options = {}, source_location where = source_location::current()) {
  constexpr int rank = detail::rank_of_operand<X>;
  static_assert(
      rank > 0 && detail::is_exact_as_float<detail::element_of_expression<X>>,
      "TG722: tg::sample takes rows of float, f16 or bf16, of rank 1 or more; convert others with tg::cast<float>(x)");
  const auto own = detail::float_operand(logits, where);
  const bool has_k = options.k != 0;
  const unsigned columns = detail::extent_below(own.extent(rank - 1), has_k ? 0x80000000 - 256 : 1 << 24,
                                                has_k ? "columns of tg::sample" : "columns of tg::sample without k", where);
  const unsigned rows = detail::extent_below(detail::rows_of_shape(own.shape()), 0x80000000, "rows of tg::sample", where);
  if (options.k < 0 || options.k > static_cast<int>(kernels::most_top_k) || !(options.p >= 0 && options.p <= 1) ||
      !(options.temperature > 0 && std::isfinite(options.temperature)))
    detail::refuse_shape("tg::sample with k = " + std::to_string(options.k) + ", p = " + std::to_string(options.p) +
                             ", temperature = " + std::to_string(options.temperature),
                         "k is 0 to 64, p is 0 to 1, and the temperature is finite and above 0", where);
  array_shape<rank - 1> shape;
  for (int axis = 0; axis + 1 < rank; ++axis) shape[axis] = own.extent(axis);
  device gpu = detail::device_of_operand(own, where);
  array<int, rank - 1> out(gpu, shape, where);
  if (rows == 0) return out;
  if (columns == 0) detail::refuse_shape("tg::sample of rows without elements", "check how the shape was computed", where);
  const auto x = tg::matrix(detail::part_of_operand(own), rows, columns);
  const auto tokens = detail::written_as<unsigned>(out);
  const auto grid = tg::grid(rows, where);
  if (has_k)
    gpu.launch(kernels::sample_tokens, grid, x, tokens, columns, static_cast<unsigned>(options.k), options.p,
               options.temperature, options.seed, options.step);
  else gpu.launch(kernels::sample_top_p, grid, x, tokens, columns, options.p, options.temperature, options.seed, options.step);
  return out;
}

}  // namespace tg
