// What stands around attention in a transformer: positions, and the cache of keys and values.
#pragma once

#include <kernels/kv_cache.hpp>
#include <kernels/rope.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m tokens, n heads, k pairs of a head of 2 k + 2 elements: two stay.
template <class T, tg::kernels::rope_layout Layout>
inline constexpr auto try_rope = [](auto& t, const shape& s) {
  const unsigned size = 2 * s.k + 2, width = s.n * size;
  const auto x = t.template floats<T>(std::size_t{s.m} * width);
  const auto positions = t.template integers<int>(s.m, 0, 1000000);
  const bool is_interleaved = Layout == tg::kernels::rope_layout::interleaved;
  std::vector<double> wanted(x.begin(), x.end()), bound(x.size());
  const double unit = sizeof(T) == 4 ? 0x1p-24 : std::is_same_v<T, tg::bf16> ? 0x1p-8 : 0x1p-11;
  for (unsigned token = 0; token < s.m; ++token)
    for (unsigned head = 0; head < s.n; ++head)
      for (unsigned k = 0; k < s.k; ++k) {
        const double angle = positions[token] * std::pow(10000.0, -double(k) / s.k);
        const std::size_t first = std::size_t{token} * width + head * size;
        const std::size_t a = first + (is_interleaved ? 2 * k : k), b = first + (is_interleaved ? 2 * k + 1 : k + s.k);
        const double u = wanted[a], v = wanted[b], both = std::abs(u) + std::abs(v);
        wanted[a] = u * std::cos(angle) - v * std::sin(angle);
        wanted[b] = u * std::sin(angle) + v * std::cos(angle);
        // An angle, sine and cosine, two products and a sum; then a rounding, which of f16 near 0 has a fixed size.
        for (const std::size_t i : {a, b}) bound[i] = 8 * 0x1p-24 * both + unit * std::abs(wanted[i]) + 0x1p-25;
      }
  auto own = t.in(x, s.m, width, 2);
  own.after = {wanted, bound};
  t.launch(tg::kernels::rope_grid(s.m, s.k), own, t.in(tg::kernels::rope_frequencies(s.k)), t.in(positions), s.m, s.n, size,
           s.k);
};

/// m tokens of n elements into a cache of 2 m + 3 rows.
template <class T>
inline constexpr auto try_kv_cache = [](auto& t, const shape& s) {
  constexpr unsigned apart = 16 / sizeof(T);
  const unsigned rows = 2 * s.m + 3;
  std::vector<int> slots(rows);
  for (unsigned r = 0; r < rows; ++r) slots[r] = static_cast<int>(r);
  std::shuffle(slots.begin(), slots.end(), t.engine());
  slots.resize(s.m);
  if (s.m > 2) slots[1] = -1;
  const auto cache_after = [&](const std::vector<T>& from) {
    std::vector<double> wanted(std::size_t{rows} * s.n, std::numeric_limits<double>::quiet_NaN());
    for (unsigned token = 0; token < s.m; ++token)
      for (unsigned c = 0; c < s.n && slots[token] >= 0; ++c)
        wanted[static_cast<unsigned>(slots[token]) * std::size_t{s.n} + c] =
            static_cast<double>(from[std::size_t{token} * s.n + c]);
    return exactly(wanted);
  };
  const auto keys = t.template floats<T>(std::size_t{s.m} * s.n), values = t.template floats<T>(std::size_t{s.m} * s.n);
  t.launch(tg::kernels::kv_cache_grid<T>(s.m, s.n), t.in(keys, s.m, s.n, apart), t.in(values, s.m, s.n, apart), t.in(slots),
           t.template out<T>(cache_after(keys), rows, s.n, apart), t.template out<T>(cache_after(values), rows, s.n, apart),
           s.m, s.n);
};

constexpr auto rope_sizes() {
  return [] { return std::vector<shape>{{1, 1, 1}, {7, 1, 31}, {8, 2, 32}, {9, 3, 33}, {13, 5, 64}, {3, 1, 101}}; };
}

}  // namespace detail

inline constexpr row rope_halves{tg::kernels::rope<tg::bf16>,
                                 {.family = "transformer",
                                  .least_sm = 80,
                                  .writes = placing::by_data,
                                  .other = {"transformer.cu", "rope_halves"},
                                  .large = {64, 32, 64}},
                                 detail::rope_sizes(),
                                 detail::try_rope<tg::bf16, tg::kernels::rope_layout::halves>};
inline constexpr row rope_interleaved{tg::kernels::rope<tg::f16, tg::kernels::rope_layout::interleaved>,
                                      {.family = "transformer",
                                       .least_sm = 80,
                                       .writes = placing::by_data,
                                       .other = {"transformer.cu", "rope_interleaved"},
                                       .large = {64, 32, 64}},
                                      detail::rope_sizes(),
                                      detail::try_rope<tg::f16, tg::kernels::rope_layout::interleaved>};
inline constexpr row rope_of_floats{
    tg::kernels::rope<float>,
    {.family = "transformer", .writes = placing::by_data, .other = {"transformer.cu", "rope_of_floats"}, .large = {64, 32, 64}},
    detail::rope_sizes(),
    detail::try_rope<float, tg::kernels::rope_layout::halves>};
inline constexpr row kv_cache_write{
    tg::kernels::kv_cache_write<tg::bf16>,
    {.family = "transformer", .writes = placing::by_data, .other = {"transformer.cu", "kv_cache_write"}, .large = {256, 1024}},
    [] { return std::vector<shape>{{1, 8}, {3, 256}, {8, 264}, {17, 512}, {101, 1024}}; },
    detail::try_kv_cache<tg::bf16>};

template <class Ask> void each_of_transformer(Ask ask) {
  ask(rope_halves);
  ask(rope_interleaved);
  ask(rope_of_floats);
  ask(kv_cache_write);
}

}  // namespace registry
