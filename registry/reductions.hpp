// Sums of everything, and the steps that lead to the shipped one; dot products, norms, mean and variance.
#pragma once

#include <kernels/reduction.hpp>
#include <kernels/reduction_steps.hpp>
#include <kernels/statistics.hpp>
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
/// A thread's additions, a tree of 8 levels, and the last block's of all parts.
inline double roundings(unsigned n, unsigned blocks) { return (n / (256.0 * blocks) + 32) * 0x1p-24; }
inline constexpr auto try_dot = [](auto& t, const shape& s) {
  const auto x = t.floats(s.n), y = t.floats(s.n);
  constexpr unsigned blocks = 7;
  double wanted = 0, size = 0;
  for (unsigned i = 0; i < s.n; ++i) wanted += double{x[i]} * y[i], size += std::abs(double{x[i]} * y[i]);
  t.launch(tg::grid(blocks), t.in(x), t.in(y),
           t.template out<float>(within({wanted}, [&](std::size_t) { return roundings(s.n, blocks) * size; })),
           t.template scratch<float>(blocks), t.in_out(std::vector<unsigned>{0}, exactly<unsigned>({0})), s.n);
};
inline constexpr auto try_norm = [](auto& t, const shape& s) {
  const auto x = t.floats(s.n);
  constexpr unsigned blocks = 7;
  double squares = 0;
  for (const double v : x) squares += v * v;
  t.launch(tg::grid(blocks), t.in(x), t.template out<float>(relative({std::sqrt(squares)}, roundings(s.n, blocks))),
           t.template scratch<float>(blocks), t.in_out(std::vector<unsigned>{0}, exactly<unsigned>({0})), s.n);
};
inline constexpr auto try_mean_and_variance = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * s.n, 5, 7);
  expectation mean, variance;
  for (unsigned r = 0; r < s.m; ++r) {
    const float* row = &x[std::size_t{r} * s.n];
    double sum = 0, squares = 0;
    for (unsigned j = 0; j < s.n; ++j) sum += row[j];
    for (unsigned j = 0; j < s.n; ++j) squares += (row[j] - sum / s.n) * (row[j] - sum / s.n);
    const double off = roundings(s.n, 1) * sum / s.n;
    mean.value.push_back(sum / s.n);
    mean.bound.push_back(off);
    variance.value.push_back(squares / s.n);
    variance.bound.push_back(off * off + 2 * roundings(s.n, 1) * squares / s.n);
  }
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n), t.template out<float>(mean), t.template out<float>(variance), s.n);
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

inline constexpr row dot{tg::kernels::dot,
                         {.family = "reductions", .other = {"statistics.cu", "dot"}, .large = {1, 1u << 20}},
                         lines(1024),
                         detail::try_dot};
inline constexpr row norm{tg::kernels::norm,
                          {.family = "reductions", .other = {"statistics.cu", "norm_of_line"}, .large = {1, 1u << 20}},
                          lines(1024),
                          detail::try_norm};
inline constexpr row row_mean_and_variance{
    tg::kernels::row_mean_and_variance,
    {.family = "reductions", .other = {"statistics.cu", "row_mean_and_variance"}, .large = {64, 16384}},
    matrices(4, 256),
    detail::try_mean_and_variance};

template <class Ask> void each_reduction(Ask ask) {
  ask(sum_interleaved);
  ask(sum_sequential);
  ask(sum_first_add);
  ask(sum_shuffled);
  ask(sum);
  ask(dot);
  ask(norm);
  ask(row_mean_and_variance);
}

}  // namespace registry
