// Reductions of segments, as the rows of a sparse matrix (CSR) have them.
#pragma once

#include <kernels/segmented.hpp>
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

template <class Ask> void each_segmented(Ask ask) {
  ask(segmented_sum);
  ask(segmented_sum_long);
}

}  // namespace registry
