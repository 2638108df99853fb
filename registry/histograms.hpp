// Histograms, which are exact.
#pragma once

#include <kernels/histogram.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

inline constexpr auto try_byte_histogram = [](auto& t, const shape& s) {
  const auto x = t.template integers<std::uint8_t>(s.n);
  std::vector<unsigned> wanted(256, 3);
  for (const auto v : x) ++wanted[v];
  t.launch(tg::grid(3), t.in(x), t.template in_out<unsigned>(std::vector<unsigned>(256, 3), exactly(wanted)), s.n);
};
inline constexpr auto try_range_histogram = [](auto& t, const shape& s) {
  const auto x = t.template integers<int>(s.n, -10000, 10000);
  constexpr int low = -9000, width = 7;
  std::vector<unsigned> wanted(2000);
  for (const int v : x)
    if (v >= low && (v - low) / width < 2000) ++wanted[(v - low) / width];
  t.launch(tg::grid(3), t.in(x), t.template in_out<unsigned>(std::vector<unsigned>(2000), exactly(wanted)), low, width, 2000u,
           s.n);
};

}  // namespace detail

inline constexpr row byte_histogram{
    tg::kernels::byte_histogram,
    {.family = "histograms", .other = {"histograms.cu", "byte_histogram"}, .large = {1, 1u << 20}},
    lines(4096),
    detail::try_byte_histogram};
inline constexpr row range_histogram{
    tg::kernels::range_histogram<int>,
    {.family = "histograms", .other = {"histograms.cu", "range_histogram"}, .large = {1, 1u << 20}},
    lines(256),
    detail::try_range_histogram};

template <class Ask> void each_histogram(Ask ask) {
  ask(byte_histogram);
  ask(range_histogram);
}

}  // namespace registry
