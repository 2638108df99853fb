// The gradients of attention, and the numbers that they are relative to.
#pragma once

#include <kernels/attention_backward.hpp>
#include <kernels/reference/attention_gradients.hpp>
#include <registry/attention.hpp>

namespace registry {

namespace detail {

/// m rows of n heads of 64 elements.
inline constexpr auto try_attention_deltas = [](auto& t, const shape& s) {
  constexpr unsigned size = 64;
  const unsigned width = s.n * size;
  const auto o = t.template floats<tg::bf16>(std::size_t{s.m} * width), slope = t.template floats<tg::bf16>(o.size());
  std::vector<double> wanted(std::size_t{s.n} * s.m), terms(wanted.size());
  for (std::size_t i = 0; i < o.size(); ++i) {
    const double term = static_cast<double>(o[i]) * static_cast<double>(slope[i]);
    const std::size_t own = i % width / size * s.m + i / width;
    wanted[own] += term;
    terms[own] += std::abs(term);
  }
  const auto after = within(wanted, [&](std::size_t i) { return size * 0x1p-24 * terms[i]; });
  t.launch(tg::kernels::attention_deltas_grid(s.m, s.n), t.in(o, s.m, width, 8), t.in(slope, s.m, width, 8),
           t.template out<float>(after, s.n, s.m), s.m);
};

inline std::vector<shape> sizes_of_deltas() { return {{1, 1}, {64, 1}, {63, 2}, {65, 3}, {127, 1}, {131, 5}}; }

/// Which results a kernel has.
enum class gradients { of_queries, of_keys };

/// k sequences of m queries and n keys with heads of 64.
template <gradients Of>
inline constexpr auto try_attention_gradients = [](auto& t, const shape& s) {
  using table = tg::kernels::reference::table;
  using T = tg::bf16;
  const attention_operands<T> x(t, 64, s.heads, equal_sequences(s));
  const unsigned rows = x.of.rows(), key_rows = x.of.key_rows();
  const auto slope = t.template floats<T>(x.q.size());
  std::vector<float> log_sums(std::size_t{s.heads} * rows), deltas(log_sums.size());
  tg::kernels::reference::attention_gradients wanted(rows, x.width(), key_rows, x.key_width());
  for (std::size_t n = 0; n < x.of.count(); ++n)
    for (unsigned h = 0; h < s.heads; ++h)
      tg::kernels::reference::add_attention_gradients(
          wanted, causal, x.shape_of(n), x.size, x.of.starts[n], x.of.key_starts[n], h, numbers_of(x.q, x.width()),
          numbers_of(x.k, x.key_width()), numbers_of(x.v, x.key_width()), numbers_of(slope, x.width()),
          [](unsigned, unsigned, double o) { return static_cast<double>(T(static_cast<float>(o))); },
          [&](unsigned r, double log_sum, double delta) {
            log_sums[std::size_t{h} * rows + r] = static_cast<float>(log_sum);
            deltas[std::size_t{h} * rows + r] = static_cast<float>(delta);
          });
  const auto result = [&](const table& own, const table& size) {
    constexpr double unit = tg::kernels::reference::unit<T>;
    return t.template out<T>(within(own.elements, [&](std::size_t i) { return wanted.bound(own, size, i, unit); }), own.rows,
                             own.columns, 8);
  };
  const auto launch = [&](unsigned height, unsigned heads, const auto&... results) {
    t.launch(tg::kernels::attention_gradient_grid(height, heads, s.k), t.in(x.q, rows, x.width(), 8),
             t.in(x.k, key_rows, x.key_width(), 8), t.in(x.v, key_rows, x.key_width(), 8), t.in(slope, rows, x.width(), 8),
             t.in(log_sums, s.heads, rows), t.in(deltas, s.heads, rows), results..., s.m, s.n, x.group, x.scale());
  };
  if constexpr (Of == gradients::of_queries) launch(s.m, s.heads, result(wanted.q, wanted.q_size));
  else launch(s.n, s.heads / x.group, result(wanted.k, wanted.k_size), result(wanted.v, wanted.v_size));
};

}  // namespace detail

inline constexpr row attention_deltas{tg::kernels::attention_deltas<tg::bf16, 64>, detail::of_attention({512, 4}),
                                      detail::sizes_of_deltas, detail::try_attention_deltas};
inline constexpr row attention_query_gradient{tg::kernels::attention_query_gradient<tg::bf16, 64, detail::causal>,
                                              detail::of_attention({128, 128, 1, 2}), detail::attention_sizes(64),
                                              detail::try_attention_gradients<detail::gradients::of_queries>};
inline constexpr row attention_key_gradient{tg::kernels::attention_key_gradient<tg::bf16, 64, detail::causal>,
                                            detail::of_attention({128, 128, 1, 2}), detail::attention_sizes(64),
                                            detail::try_attention_gradients<detail::gradients::of_keys>};

template <class Ask> void each_attention_gradient(Ask ask) {
  ask(attention_deltas);
  ask(attention_query_gradient);
  ask(attention_key_gradient);
}

}  // namespace registry
