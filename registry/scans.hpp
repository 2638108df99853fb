// Scans of a line, and what is made of them.
#pragma once

#include <numeric>

#include <kernels/scan.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// Sums of floats up to each element: each has at most 30 additions in its part, and one for each part before.
inline constexpr auto try_scan = [](auto& t, const shape& s) {
  const auto x = t.floats(s.n);
  const unsigned parts = tg::kernels::scan_blocks<float>(s.n);
  std::vector<double> wanted(s.n), size(s.n);
  std::inclusive_scan(x.begin(), x.end(), wanted.begin(), std::plus<>{}, 0.0);
  double sum = 0;
  for (unsigned i = 0; i < s.n; ++i) size[i] = sum += std::abs(x[i]);
  const auto bound = [&](std::size_t i) { return (30 + parts) * 0x1p-24 * size[i]; };
  t.launch(tg::grid(parts), t.in(x), t.template out<float>(within(wanted, bound)),
           t.template scratch<std::uint64_t>(tg::kernels::scan_scratch<float>(s.n)), s.n);
};

inline constexpr auto try_exclusive_scan = [](auto& t, const shape& s) {
  const auto x = t.template integers<std::int64_t>(s.n, -1000, 1000);
  std::vector<std::int64_t> wanted(s.n);
  std::exclusive_scan(x.begin(), x.end(), wanted.begin(), std::int64_t{0});
  t.launch(tg::grid(tg::kernels::scan_blocks<std::int64_t>(s.n)), t.in(x), t.template out<std::int64_t>(exactly(wanted)),
           t.template scratch<std::uint64_t>(tg::kernels::scan_scratch<std::int64_t>(s.n)), s.n);
};

}  // namespace detail

inline constexpr row scan{tg::kernels::scan<float>,
                          {.family = "scans", .large = {1, 1u << 20}},
                          lines(tg::kernels::scan_part<float>),
                          detail::try_scan};
inline constexpr row exclusive_scan{tg::kernels::scan<std::int64_t, tg::kernels::addition, tg::kernels::scan_kind::exclusive>,
                                    {.family = "scans", .large = {1, 1u << 20}},
                                    lines(tg::kernels::scan_part<std::int64_t>),
                                    detail::try_exclusive_scan};

template <class Ask> void each_scan(Ask ask) {
  ask(scan);
  ask(exclusive_scan);
}

}  // namespace registry
