// Attention for decoding: parts of the keys of each sequence, in pages or side by side, and what joins them.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include <kernels/attention_decode.hpp>
#include <kernels/reference/attention_decode.hpp>
#include <kernels/reference/rounding.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

inline constexpr tg::kernels::attention_decode_options pages_of_16{.page = 16}, tree_with_slopes{.alibi = true, .tree = true};

/// k sequences of up to n keys with m query tokens each, and a cache with their keys. Two heads of q share one of k and v where
/// their number is even. What no sequence has holds poison.
template <class T, int Size> struct decode_operands {
  tg::kernels::reference::decode_shape n;
  unsigned sequences, splits, page, width, slots;
  std::vector<unsigned> lengths, table;
  std::vector<T> q, k, v;
  std::vector<float> slopes, trees;

  template <class Trial>
  decode_operands(Trial& t, const shape& s, unsigned page)
      : n{s.heads % 2 == 0 ? s.heads / 2 : s.heads, s.m, s.heads % 2 == 0 ? 2u : 1u},
        sequences(s.k),
        splits(s.n > 100 ? 3 : 1),
        page(page),
        lengths(t.template integers<unsigned>(s.k, 0, s.n)) {
    lengths[0] = s.n;
    const unsigned in_page = page == 0 ? s.n + 1 : page;
    width = page == 0 ? 1 : (s.n + page - 1) / page;
    slots = sequences * width * in_page;
    for (unsigned i = 0; i < sequences * width; ++i) table.push_back((page == 0 ? in_page : 1) * (sequences * width - 1 - i));
    q = t.template floats<T>(std::size_t{rows()} * Size, -1.7f, 1.7f);
    k = cache(t), v = cache(t);
    slopes = t.floats(s.heads, 0, 0.5f);
    trees = t.floats(std::size_t{s.k} * s.m * s.m, -1, 1);
    for (std::size_t i = 0; i < trees.size(); ++i)
      if (trees[i] > 0 && i / s.m % s.m != i % s.m) trees[i] = -tg::infinity<float>;
  }

  unsigned rows() const { return sequences * n.key_heads * n.rows(); }
  unsigned columns() const { return n.key_heads * Size; }
  float scale() const { return 1 / std::sqrt(static_cast<float>(Size)); }
  unsigned slot(unsigned s, unsigned j) const {
    return page == 0 ? table[s] + j : table[std::size_t{s} * width + j / page] * page + j % page;
  }

 private:
  template <class Trial> std::vector<T> cache(Trial& t) const {
    std::vector<T> out(std::size_t{slots} * columns(), poison<T>());
    for (unsigned s = 0; s < sequences; ++s)
      for (unsigned j = 0; j < lengths[s]; ++j) {
        const auto key = t.template floats<T>(columns(), -1.7f, 1.7f);
        std::copy(key.begin(), key.end(), out.begin() + static_cast<std::ptrdiff_t>(std::size_t{slot(s, j)} * columns()));
      }
    return out;
  }
};

/// What the parts have to be, and the logarithms of their sums.
struct decoded { expectation parts, log_sums; };
template <int Step, class T, int Size>
decoded decode(const decode_operands<T, Size>& x, const tg::kernels::attention_decode_options& options) {
  constexpr double unit = tg::kernels::reference::unit<T>;
  const std::size_t rows = x.rows();
  decoded out;
  for (auto* own : {&out.parts.value, &out.parts.bound}) own->resize(x.splits * rows * Size);
  for (auto* own : {&out.log_sums.value, &out.log_sums.bound}) own->resize(x.splits * rows);
  const auto k = numbers_of(x.k, x.columns()), v = numbers_of(x.v, x.columns());
  for (unsigned part = 0; part < x.splits; ++part)
    for (unsigned s = 0; s < x.sequences; ++s)
      tg::kernels::reference::attend_decoding(
          {.weight = 2 * unit, .least_weight = std::is_same_v<T, tg::f16> ? 0x1p-25 : 0}, options, x.n, Size, s, x.lengths[s],
          numbers_of(x.q, Size), [&](unsigned j, unsigned c) { return k(x.slot(s, j), c); },
          [&](unsigned j, unsigned c) { return v(x.slot(s, j), c); },
          [&](unsigned h) { return static_cast<double>(x.slopes[h]); },
          [&](unsigned i, unsigned j) {
            return static_cast<double>(x.trees[(std::size_t{s} * x.n.queries + i) * x.n.queries + j]);
          },
          [&](unsigned r, unsigned d, double wanted, double bound) {
            out.parts.value[(part * rows + r) * Size + d] = wanted;
            out.parts.bound[(part * rows + r) * Size + d] = bound;
          },
          [&](unsigned r, double wanted, double bound) {
            out.log_sums.value[part * rows + r] = wanted;
            out.log_sums.bound[part * rows + r] = bound;
          },
          tg::kernels::reference::range_of_part(part, x.splits, x.lengths[s], Step));
  return out;
}

template <class T, int Size, int Rows, tg::kernels::attention_decode_options Options>
inline constexpr auto try_attention_decode = [](auto& t, const shape& s) {
  constexpr int step = tg::kernels::detail::decode_step<Size, Options>;
  const decode_operands<T, Size> x(t, s, Options.page);
  const decoded after = decode<step>(x, Options);
  const unsigned parts = x.splits * x.rows();
  const auto launch = [&](const auto&... extra) {
    t.launch(tg::kernels::attention_decode_grid<Rows>(x.sequences, x.n.key_heads, x.n.rows(), x.splits),
             t.in(x.q, x.rows(), Size, 8), t.in(x.k, x.slots, x.columns(), 8), t.in(x.v, x.slots, x.columns(), 8),
             t.in(x.lengths), t.in(x.table, x.sequences, x.width, 1), t.template out<float>(after.parts, parts, Size, 8),
             t.template out<float>(after.log_sums), x.sequences, x.n.key_heads, x.n.queries, x.n.group, x.splits, x.scale(),
             extra...);
  };
  if constexpr (Options.tree) launch(t.in(x.slopes), t.in(x.trees, x.sequences * x.n.queries, x.n.queries, 1), x.n.queries);
  else launch();
};

/// m rows in k parts.
inline constexpr auto try_attention_join = [](auto& t, const shape& s) {
  constexpr unsigned size = 80;
  auto log_sums = t.floats(std::size_t{s.k} * s.m, -9, 9);
  for (std::size_t i = 0; i < log_sums.size(); ++i)
    if (i % s.m % 3 == 0 && (i % s.m == 0 || i / s.m % 2 == 0)) log_sums[i] = -tg::infinity<float>;
  const auto parts = t.floats(std::size_t{s.k} * s.m * size);
  std::vector<double> wanted(std::size_t{s.m} * size), magnitude(wanted.size());
  for (unsigned r = 0; r < s.m; ++r) {
    std::vector<double> weight;
    for (unsigned part = 0; part < s.k; ++part) weight.push_back(log_sums[std::size_t{part} * s.m + r]);
    double total = 0;
    tg::kernels::reference::to_weights(weight, total);
    for (unsigned part = 0; part < s.k; ++part)
      for (unsigned c = 0; c < size && weight[part] != 0; ++c) {
        const double term = weight[part] / total * parts[(std::size_t{part} * s.m + r) * size + c];
        wanted[std::size_t{r} * size + c] += term, magnitude[std::size_t{r} * size + c] += std::abs(term);
      }
  }
  constexpr double unit = tg::kernels::reference::unit<tg::bf16>;
  auto after = within(wanted, [&](std::size_t i) { return unit * std::abs(wanted[i]) + 1e-5 * magnitude[i] + 1e-6; });
  t.launch(tg::kernels::attention_join_grid(s.m), t.in(parts, s.k * s.m, size, 8), t.in(log_sums),
           t.template out<tg::bf16>(std::move(after), s.m, size, 8), s.m, s.k);
};

inline std::vector<shape> sizes_of_decoding() {
  return {{1, 1, 1, 1}, {1, 16, 3, 8}, {1, 65, 4, 2}, {1, 257, 3, 4}, {5, 17, 3, 1}, {17, 131, 2, 2}, {64, 63, 1, 1}};
}
inline std::vector<shape> sizes_of_join() { return {{1, 1, 1}, {8, 1, 2}, {7, 1, 3}, {9, 1, 5}, {67, 1, 1}, {31, 1, 17}}; }

constexpr facts of_decoding(shape large) { return {.family = "attention", .least_sm = 80, .large = large}; }

}  // namespace detail

inline constexpr row attention_decode_pages{tg::kernels::attention_decode<tg::bf16, 128, 16, detail::pages_of_16>,
                                            detail::of_decoding({1, 1000, 4, 8}), detail::sizes_of_decoding,
                                            detail::try_attention_decode<tg::bf16, 128, 16, detail::pages_of_16>};
inline constexpr row attention_decode_tree{tg::kernels::attention_decode<tg::f16, 96, 64, detail::tree_with_slopes>,
                                           detail::of_decoding({16, 1000, 2, 8}), detail::sizes_of_decoding,
                                           detail::try_attention_decode<tg::f16, 96, 64, detail::tree_with_slopes>};
inline constexpr row attention_join{tg::kernels::attention_join<tg::bf16, 80>, detail::of_decoding({256, 1, 16}),
                                    detail::sizes_of_join, detail::try_attention_join};

template <class Ask> void each_attention_decode(Ask ask) {
  ask(attention_decode_pages);
  ask(attention_decode_tree);
  ask(attention_join);
}

}  // namespace registry
