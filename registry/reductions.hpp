// Sums of everything, and the steps that lead to the shipped one.
#pragma once

#include <kernels/reduction.hpp>
#include <kernels/reduction_steps.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// The sums of `per_block` elements each, by a tree of additions.
inline constexpr auto try_partial_sums = [](auto& t, const shape& s, unsigned per_block) {
  const auto x = t.floats(s.n);
  const unsigned blocks = (s.n + per_block - 1) / per_block;
  std::vector<double> wanted(blocks), size(blocks);
  for (unsigned i = 0; i < s.n; ++i) wanted[i / per_block] += x[i], size[i / per_block] += std::abs(x[i]);
  const auto bound = [&](std::size_t b) { return 10 * 0x1p-24 * size[b]; };
  t.launch(tg::grid(blocks), t.in(x), t.template out<float>(within(wanted, bound)), s.n);
};
/// All in one element, which held a number before.
inline constexpr auto try_sum = [](auto& t, const shape& s) {
  const auto x = t.floats(s.n);
  constexpr unsigned blocks = 7;
  double wanted = 3, size = 3;
  for (const double own : x) wanted += own, size += std::abs(own);
  // A thread adds its elements one by one, then a tree of 8 levels, then an atomic for each block.
  const double steps = s.n / (blocks * tg::kernels::reduction_threads) + 1 + 8 + blocks;
  t.launch(tg::grid(blocks), t.in(x),
           t.template in_out<float>({3}, within({wanted}, [&](std::size_t) { return steps * 0x1p-24 * size; })), s.n);
};
constexpr auto sum_steps(std::string_view file, std::string_view entry) {
  return facts{.family = "reductions", .other = {file, entry}, .large = {1, 1u << 20}};
}

}  // namespace detail

inline constexpr row sum_interleaved{tg::kernels::sum_interleaved, detail::sum_steps("sum_interleaved.cu", "sum_interleaved"),
                                     lines(256), [](auto& t, const shape& s) { detail::try_partial_sums(t, s, 256); }};
inline constexpr row sum_sequential{tg::kernels::sum_sequential, detail::sum_steps("sum_sequential.cu", "sum_sequential"),
                                    lines(256), [](auto& t, const shape& s) { detail::try_partial_sums(t, s, 256); }};
inline constexpr row sum_first_add{tg::kernels::sum_first_add, detail::sum_steps("sum_first_add.cu", "sum_first_add"),
                                   lines(512), [](auto& t, const shape& s) { detail::try_partial_sums(t, s, 512); }};
inline constexpr row sum_shuffled{tg::kernels::sum_shuffled, detail::sum_steps("sum_shuffled.cu", "sum_shuffled"), lines(512),
                                  [](auto& t, const shape& s) { detail::try_partial_sums(t, s, 512); }};
inline constexpr row sum{tg::kernels::sum, detail::sum_steps("sum.cu", "sum"), lines(1024), detail::try_sum};

template <class Ask> void each_reduction(Ask ask) {
  ask(sum_interleaved);
  ask(sum_sequential);
  ask(sum_first_add);
  ask(sum_shuffled);
  ask(sum);
}

}  // namespace registry
