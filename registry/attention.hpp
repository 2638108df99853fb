// Attention: by lanes and by tiles, of sequences of different lengths, of 8-bit floats.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <kernels/attention.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/reference/attention.hpp>
#include <kernels/reference/rounding.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

inline constexpr tg::kernels::attention_options causal{.causal = true}, last_1024{.causal = true, .window = 1024};

/// Where the queries and the keys of sequences begin, and at last where they end.
struct sequences {
  std::vector<unsigned> starts{0}, key_starts{0};

  void add(unsigned queries, unsigned keys) {
    starts.push_back(starts.back() + queries);
    key_starts.push_back(key_starts.back() + keys);
  }
  std::size_t count() const { return starts.size() - 1; }
  unsigned rows() const { return starts.back(); }
  unsigned key_rows() const { return key_starts.back(); }
};
/// k sequences of m queries and n keys.
inline sequences equal_sequences(const shape& s) {
  sequences out;
  for (unsigned i = 0; i < s.k; ++i) out.add(s.m, s.n);
  return out;
}
/// k sequences: the first of m queries and n keys, the others of up to so many.
template <class Trial> sequences any_sequences(Trial& t, const shape& s) {
  const auto queries = t.template integers<unsigned>(s.k, 0, s.m), keys = t.template integers<unsigned>(s.k, 0, s.n);
  sequences out;
  for (unsigned i = 0; i < s.k; ++i) out.add(i == 0 ? s.m : queries[i], i == 0 ? s.n : keys[i]);
  return out;
}

/// Operands of attention. Two heads of q share one of k and v where their number is even.
template <class T> struct attention_operands {
  unsigned size, heads, group;
  sequences of;
  std::vector<T> q, k, v;

  template <class Trial>
  attention_operands(Trial& t, unsigned size, unsigned heads, sequences all)
      : size(size), heads(heads), group(heads % 2 == 0 ? 2 : 1), of(std::move(all)) {
    constexpr float reach = 1.7f;
    q = t.template floats<T>(std::size_t{of.rows()} * width(), -reach, reach);
    k = t.template floats<T>(std::size_t{of.key_rows()} * key_width(), -reach, reach);
    v = t.template floats<T>(std::size_t{of.key_rows()} * key_width(), -reach, reach);
  }
  unsigned width() const { return heads * size; }
  unsigned key_width() const { return heads / group * size; }
  float scale() const { return 1 / std::sqrt(static_cast<float>(size)); }
  tg::kernels::reference::attention_shape shape_of(std::size_t sequence) const {
    return {of.starts[sequence + 1] - of.starts[sequence], of.key_starts[sequence + 1] - of.key_starts[sequence], heads, group,
            1};
  }
};

/// What attention has to leave.
struct attended { expectation o, log_sums; };
/// `value_scale`: what v was divided by. Weights are rounded to T, results to Out.
template <class Out, class T>
attended attend(const attention_operands<T>& x, const tg::kernels::attention_options& options, double value_scale = 1) {
  constexpr bool is_f8 = sizeof(T) == 1;
  constexpr double unit = tg::kernels::reference::unit<Out>;
  const tg::kernels::reference::attention_errors off{
      .weight = is_f8 ? 0x1p-4 : 2 * unit, .least_weight = is_f8 ? 0x1p-18 : 0, .result = unit};
  const std::size_t rows = x.of.rows();
  attended out;
  for (auto* own : {&out.o.value, &out.o.bound}) own->resize(rows * x.width());
  for (auto* own : {&out.log_sums.value, &out.log_sums.bound}) own->resize(rows * x.heads);
  const auto value = [v = numbers_of(x.v, x.key_width()), value_scale](unsigned r, unsigned c) {
    return value_scale * v(r, c);
  };
  for (std::size_t n = 0; n < x.of.count(); ++n)
    tg::kernels::reference::attend(
        off, options, x.shape_of(n), x.size, x.of.starts[n], x.of.key_starts[n], numbers_of(x.q, x.width()),
        numbers_of(x.k, x.key_width()), value,
        [&](unsigned r, unsigned c, double wanted, double bound) {
          out.o.value[r * std::size_t{x.width()} + c] = wanted;
          out.o.bound[r * std::size_t{x.width()} + c] = bound;
        },
        [&](unsigned h, unsigned r, double wanted, double bound) {
          out.log_sums.value[h * rows + r] = wanted;
          out.log_sums.bound[h * rows + r] = bound;
        });
  return out;
}

inline constexpr auto try_attention = [](auto& t, const shape& s) {
  const attention_operands<tg::bf16> x(t, 128, s.heads, equal_sequences(s));
  const unsigned rows = x.of.rows(), key_rows = x.of.key_rows();
  t.launch(tg::kernels::attention_grid<128>(s.m, s.heads, s.k), t.in(x.q, rows, x.width(), 8),
           t.in(x.k, key_rows, x.key_width(), 8), t.in(x.v, key_rows, x.key_width(), 8),
           t.template out<tg::bf16>(attend<tg::bf16>(x, causal).o, rows, x.width(), 8), s.m, s.n, x.group, x.scale());
};

/// With the logarithms of sums where HasLogSums.
template <const auto& Kernel, int Size, tg::kernels::attention_options Options, bool HasLogSums>
inline constexpr auto try_attention_tiles = [](auto& t, const shape& s) {
  const attention_operands<tg::bf16> x(t, Size, s.heads, equal_sequences(s));
  const unsigned rows = x.of.rows(), key_rows = x.of.key_rows();
  const attended after = attend<tg::bf16>(x, Options);
  const auto launch = [&](const auto&... log_sums) {
    t.launch(tg::kernels::attention_tiles_grid(Kernel, s.m, s.heads, s.k), t.in(x.q, rows, x.width(), 8),
             t.in(x.k, key_rows, x.key_width(), 8), t.in(x.v, key_rows, x.key_width(), 8),
             t.template out<tg::bf16>(after.o, rows, x.width(), 8), s.m, s.n, x.group, x.scale(), log_sums...);
  };
  if constexpr (HasLogSums) launch(t.template out<float>(after.log_sums, s.heads, rows));
  else launch();
};

inline constexpr auto& ragged_kernel = tg::kernels::attention_ragged<tg::bf16, 64, causal, 80, tg::out2<float>>;
inline constexpr auto try_attention_ragged = [](auto& t, const shape& s) {
  const attention_operands<tg::bf16> x(t, 64, s.heads, any_sequences(t, s));
  const unsigned rows = x.of.rows(), key_rows = x.of.key_rows();
  const attended after = attend<tg::bf16>(x, causal);
  t.launch(tg::kernels::attention_tiles_grid(ragged_kernel, s.m, s.heads, s.k), t.in(x.q, rows, x.width(), 8),
           t.in(x.k, key_rows, x.key_width(), 8), t.in(x.v, key_rows, x.key_width(), 8),
           t.template out<tg::bf16>(after.o, rows, x.width(), 8), t.in(x.of.starts), t.in(x.of.key_starts), x.group, x.scale(),
           t.template out<float>(after.log_sums, s.heads, rows));
};

/// v in rows of keys as the kernel takes it: a row for each element of a head of each sequence.
template <class T> std::vector<T> standing(const std::vector<T>& v, const shape& s, unsigned width) {
  std::vector<T> out(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const std::size_t row = i / width, sequence = row / s.n;
    out[(sequence * width + i % width) * s.n + row % s.n] = v[i];
  }
  return out;
}
template <const auto& Kernel, class Out, int Size, tg::kernels::attention_options Options, bool HasLogSums>
inline constexpr auto try_attention_f8 = [](auto& t, const shape& s) {
  constexpr float value_scale = 0.5f;
  const attention_operands<tg::f8e4m3> x(t, Size, s.heads, equal_sequences(s));
  const unsigned rows = x.of.rows(), key_rows = x.of.key_rows();
  const attended after = attend<Out>(x, Options, value_scale);
  const auto launch = [&](const auto&... log_sums) {
    t.launch(tg::kernels::attention_tiles_grid(Kernel, s.m, s.heads, s.k), t.in(x.q, rows, x.width(), 16),
             t.in(x.k, key_rows, x.key_width(), 16), t.in(standing(x.v, s, x.key_width()), s.k * x.key_width(), s.n, 16),
             t.template out<Out>(after.o, rows, x.width(), 8), s.m, s.n, x.group, x.scale(), value_scale, log_sums...);
  };
  if constexpr (HasLogSums) launch(t.template out<float>(after.log_sums, s.heads, rows));
  else launch();
};
/// k sequences of m keys and n columns.
inline constexpr auto try_attention_values = [](auto& t, const shape& s) {
  constexpr float factor = 4;
  const auto v = t.template floats<tg::bf16>(std::size_t{s.k} * s.m * s.n);
  std::vector<double> rounded;
  for (const tg::bf16 x : standing(v, {s.n, s.m}, s.n))
    rounded.push_back(static_cast<double>(tg::f8e4m3(factor * static_cast<float>(x))));
  t.launch(tg::kernels::attention_values_grid(s.m, s.n, s.k), t.in(v, s.k * s.m, s.n, 8),
           t.template out<tg::f8e4m3>(exactly(rounded), s.k * s.n, s.m, 16), s.m, s.n, factor);
};

/// Queries around a multiple of `height`, keys around one of 64: fewer, as many and more.
constexpr auto attention_sizes(unsigned height) {
  return [height] {
    return std::vector<shape>{
        {1, 1, 1, 1}, {height, 64, 1, 1}, {height - 1, 65, 2, 2}, {height + 1, 63, 1, 2}, {67, 131, 1, 3}};
  };
}
inline std::vector<shape> sizes_of_window() { return {{1, 1, 1, 1}, {5, 1101, 1, 1}, {65, 63, 1, 2}, {64, 65, 2, 1}}; }
inline std::vector<shape> sizes_of_ragged() { return {{1, 1, 1, 1}, {128, 64, 3, 2}, {129, 65, 3, 1}, {67, 131, 4, 2}}; }
inline std::vector<shape> sizes_of_values() {
  return {{1, 1, 1}, {64, 64, 1}, {63, 65, 2}, {65, 63, 1}, {131, 97, 2}, {67, 13, 3}};
}

constexpr facts of_attention(shape large, twin other = {}, std::string_view name = {}) {
  return {.family = "attention", .least_sm = 80, .other = other, .large = large, .name = name};
}
constexpr facts of_f8_attention(shape large) { return {.family = "attention", .least_sm = 89, .large = large}; }

inline constexpr auto& tiles_of_64 = tg::kernels::attention_tiles<tg::bf16, 64, causal, 80, tg::out2<float>>;
inline constexpr auto& tiles_of_128 = tg::kernels::attention_tiles<tg::bf16, 128, causal>;
inline constexpr auto& tiles_of_256 = tg::kernels::attention_tiles<tg::bf16, 256, last_1024>;
inline constexpr auto& f8_tiles_of_64 = tg::kernels::attention_f8<tg::bf16, 64, causal, 80, tg::out2<float>>;
inline constexpr auto& f8_tiles_of_128 = tg::kernels::attention_f8<tg::f16, 128, last_1024>;

}  // namespace detail

inline constexpr row attention_by_lanes{tg::kernels::attention<tg::bf16, 128, true>,
                                        detail::of_attention({512, 512, 1, 2}, {"attention.cu", "attention"}),
                                        detail::attention_sizes(64), detail::try_attention};
inline constexpr row attention_tiles_64{detail::tiles_of_64, detail::of_attention({256, 256, 1, 2}),
                                        detail::attention_sizes(128),
                                        detail::try_attention_tiles<detail::tiles_of_64, 64, detail::causal, true>};
inline constexpr row attention_tiles_128{
    detail::tiles_of_128, detail::of_attention({512, 512, 1, 2}, {"attention.cu", "attention"}, "attention_tiles"),
    detail::attention_sizes(64), detail::try_attention_tiles<detail::tiles_of_128, 128, detail::causal, false>};
inline constexpr row attention_tiles_256{detail::tiles_of_256, detail::of_attention({64, 1100, 1, 1}), detail::sizes_of_window,
                                         detail::try_attention_tiles<detail::tiles_of_256, 256, detail::last_1024, false>};
inline constexpr row attention_ragged{
    detail::ragged_kernel,
    {.family = "attention", .least_sm = 80, .writes = placing::by_data, .large = {256, 256, 3, 2}},
    detail::sizes_of_ragged,
    detail::try_attention_ragged};
inline constexpr row attention_f8_64{detail::f8_tiles_of_64, detail::of_f8_attention({256, 256, 1, 2}),
                                     detail::attention_sizes(128),
                                     detail::try_attention_f8<detail::f8_tiles_of_64, tg::bf16, 64, detail::causal, true>};
inline constexpr row attention_f8_128{
    detail::f8_tiles_of_128, detail::of_f8_attention({64, 1100, 1, 1}), detail::sizes_of_window,
    detail::try_attention_f8<detail::f8_tiles_of_128, tg::f16, 128, detail::last_1024, false>};
inline constexpr row attention_values{tg::kernels::attention_values<tg::bf16>, detail::of_f8_attention({512, 256, 2}),
                                      detail::sizes_of_values, detail::try_attention_values};

template <class Ask> void each_attention(Ask ask) {
  ask(attention_by_lanes);
  ask(attention_tiles_64);
  ask(attention_tiles_128);
  ask(attention_tiles_256);
  ask(attention_ragged);
  ask(attention_f8_64);
  ask(attention_f8_128);
  ask(attention_values);
}

}  // namespace registry
