// Reductions and sorts of segments, as the rows of a sparse matrix (CSR) have them.
#pragma once

#include <algorithm>

#include <kernels/segmented.hpp>
#include <kernels/segmented_sort.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// Segments of 0 to 16 elements, one in 16 of them of up to 500.
template <class Trial> std::vector<unsigned> offsets(Trial& t, unsigned segments) {
  std::vector<unsigned> out{0};
  for (unsigned s = 0; s < segments; ++s) out.push_back(out.back() + t.engine()() % (t.engine()() % 16 == 0 ? 501 : 17));
  return out;
}
/// The sums of segments; `lanes` take turns of one.
template <class T> expectation segment_sums(const std::vector<T>& x, const std::vector<unsigned>& offsets, unsigned lanes) {
  const std::size_t segments = offsets.size() - 1;
  std::vector<double> sum(segments), size(segments);
  for (std::size_t s = 0; s < segments; ++s)
    for (unsigned i = offsets[s]; i < offsets[s + 1]; ++i) sum[s] += x[i], size[s] += std::abs(x[i]);
  return within(sum, [&](std::size_t s) {
    const double additions = (offsets[s + 1] - offsets[s]) / lanes + 15;
    return additions * 0x1p-24 * size[s];
  });
}

inline constexpr auto try_segments = [](auto& t, const shape& s) {
  const auto own = offsets(t, s.n);
  const auto x = t.floats(own.back() + 1);
  t.launch(tg::grid((s.n + 31) / 32), t.in(x), t.in(own), t.template out<float>(segment_sums(x, own, 8)), s.n);
};
inline constexpr auto try_long_segments = [](auto& t, const shape& s) {
  const auto own = offsets(t, s.n);
  const auto x = t.floats(own.back() + 1);
  t.launch(tg::grid(s.n), t.in(x), t.in(own), t.template out<float>(segment_sums(x, own, 256)));
};

/// Segments of up to `Most` keys, of which one in 8 is equal to the one in front of it.
template <class Key, unsigned Most> constexpr auto try_sort_segments() {
  return [](auto& t, const shape& s) {
    std::vector<unsigned> own{0};
    for (unsigned i = 0; i < s.n; ++i) own.push_back(own.back() + t.engine()() % (Most + 1));
    const std::size_t count = own.back() + std::size_t{1};
    std::vector<Key> keys;
    if constexpr (std::is_floating_point_v<Key>) keys = t.template floats<Key>(count);
    else keys = t.template integers<Key>(count);
    for (std::size_t i = 1; i < count; ++i)
      if (t.engine()() % 8 == 0) keys[i] = keys[i - 1];
    // The element behind the last segment is not written.
    std::vector<Key> sorted(count, poison<Key>());
    std::vector<unsigned> places(count, poison<unsigned>());
    for (unsigned i = 0; i < s.n; ++i) {
      std::vector<unsigned> order(own[i + 1] - own[i]);
      for (unsigned k = 0; k < order.size(); ++k) order[k] = k;
      const Key* const first = &keys[own[i]];
      std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return first[a] < first[b]; });
      for (unsigned k = 0; k < order.size(); ++k) sorted[own[i] + k] = first[order[k]], places[own[i] + k] = order[k];
    }
    t.launch(tg::kernels::sort_segments_grid<Most>(s.n), t.in(own), t.in(keys), t.template out<Key>(exactly(sorted)),
             t.template out<unsigned>(exactly(places)), s.n);
  };
}

}  // namespace detail

inline constexpr row segmented_sum{tg::kernels::segmented_reduce<float, tg::kernels::addition, 8>,
                                   {.family = "segments", .other = {"segments.cu", "segmented_sum"}, .large = {1, 1u << 16}},
                                   lines(32),
                                   detail::try_segments};
inline constexpr row segmented_sum_long{
    tg::kernels::segmented_reduce_long<float, tg::kernels::addition>,
    {.family = "segments", .other = {"segments.cu", "segmented_sum_long"}, .large = {1, 1u << 12}},
    [] { return std::vector<shape>{{1, 1}, {1, 2}, {1, 97}}; },
    detail::try_long_segments};

inline constexpr row sort_segments_32{tg::kernels::sort_segments<float, 32>,
                                      {.family = "segments",
                                       .writes = placing::by_data,
                                       .other = {"segmented_sort.cu", "sort_segments_32"},
                                       .large = {1, 1u << 13}},
                                      lines(8),
                                      detail::try_sort_segments<float, 32>()};
inline constexpr row sort_segments_512{
    tg::kernels::sort_segments<unsigned, 512>,
    {.family = "segments", .writes = placing::by_data, .other = {"segmented_sort.cu", "sort_segments_512"}, .large = {1, 256}},
    [] { return std::vector<shape>{{1, 1}, {1, 2}, {1, 31}}; },
    detail::try_sort_segments<unsigned, 512>()};

template <class Ask> void each_segmented(Ask ask) {
  ask(segmented_sum);
  ask(segmented_sum_long);
  ask(sort_segments_32);
  ask(sort_segments_512);
}

}  // namespace registry
