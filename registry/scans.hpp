// Scans of a line, and what is made of them.
#pragma once

#include <iterator>
#include <numeric>

#include <kernels/scan.hpp>
#include <kernels/select.hpp>
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

/// What a line of n elements holds where only the first are written.
template <class T> expectation first_of(std::vector<T> written, unsigned n) {
  written.resize(n, poison<T>());
  return exactly(written);
}
/// Integers in runs of about three.
template <class Trial> std::vector<int> runs_of_integers(Trial& t, const shape& s) {
  auto x = t.template integers<int>(s.n, -100, 100);
  for (std::size_t i = 1; i < x.size(); ++i)
    if (t.engine()() % 3 != 0) x[i] = x[i - 1];
  return x;
}
struct is_odd {
  template <class X> auto operator()(const X& x) const { return (x & 1) != 0; }
};

inline constexpr auto try_select = [](auto& t, const shape& s) {
  const auto x = t.template integers<int>(s.n);
  std::vector<int> kept;
  for (const int v : x)
    if (is_odd{}(v)) kept.push_back(v);
  t.launch(tg::grid(tg::kernels::select_blocks(s.n)), t.in(x), t.template out<int>(first_of(kept, s.n)),
           t.template out<unsigned>(exactly<std::size_t>({kept.size()})),
           t.template scratch<std::uint64_t>(tg::kernels::select_scratch(s.n)), s.n);
};
inline constexpr auto try_unique = [](auto& t, const shape& s) {
  const auto x = runs_of_integers(t, s);
  std::vector<int> kept;
  std::unique_copy(x.begin(), x.end(), std::back_inserter(kept));
  t.launch(tg::grid(tg::kernels::select_blocks(s.n)), t.in(x), t.template out<int>(first_of(kept, s.n)),
           t.template out<unsigned>(exactly<std::size_t>({kept.size()})),
           t.template scratch<std::uint64_t>(tg::kernels::select_scratch(s.n)), s.n);
};
inline constexpr auto try_run_lengths = [](auto& t, const shape& s) {
  const auto x = runs_of_integers(t, s);
  std::vector<int> values;
  std::vector<unsigned> lengths;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i == 0 || x[i] != x[i - 1]) values.push_back(x[i]), lengths.push_back(0);
    ++lengths.back();
  }
  const auto count = exactly<std::size_t>({values.size()});
  t.launch(tg::grid(tg::kernels::select_blocks(s.n)), t.in(x), t.template out<int>(first_of(values, s.n)),
           t.template out<unsigned>(first_of(lengths, s.n)), t.template out<unsigned>(count),
           t.template scratch<std::uint64_t>(tg::kernels::run_scratch(s.n)), s.n);
};

}  // namespace detail

// With twins: one part, since how often others wait for it is chance.
inline constexpr row scan{tg::kernels::scan<float>,
                          {.family = "scans", .writes = placing::by_data, .other = {"scan.cu", "scan"}, .large = {1, 4096}},
                          lines(tg::kernels::scan_part<float>),
                          detail::try_scan};
inline constexpr row exclusive_scan{
    tg::kernels::scan<std::int64_t, tg::kernels::addition, tg::kernels::scan_kind::exclusive>,
    {.family = "scans", .writes = placing::by_data, .other = {"scan.cu", "exclusive_scan"}, .large = {1, 2048}},
    lines(tg::kernels::scan_part<std::int64_t>),
    detail::try_exclusive_scan};

inline constexpr row select_if{
    tg::kernels::select_if<int, detail::is_odd>,
    {.family = "scans", .writes = placing::by_data, .other = {"select.cu", "select_if"}, .large = {1, 2048}},
    lines(tg::kernels::select_part),
    detail::try_select};
inline constexpr row unique{
    tg::kernels::unique<int>,
    {.family = "scans", .writes = placing::by_data, .other = {"select.cu", "unique"}, .large = {1, 2048}},
    lines(tg::kernels::select_part),
    detail::try_unique};
inline constexpr row run_lengths{
    tg::kernels::run_lengths<int>,
    {.family = "scans", .writes = placing::by_data, .other = {"select.cu", "run_lengths"}, .large = {1, 2048}},
    lines(tg::kernels::select_part),
    detail::try_run_lengths};

template <class Ask> void each_scan(Ask ask) {
  ask(scan);
  ask(exclusive_scan);
  ask(select_if);
  ask(unique);
  ask(run_lengths);
}

}  // namespace registry
