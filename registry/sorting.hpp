// Sorting: the launches that a radix sort is made of, the largest elements of rows, and tokens drawn from them.
#pragma once

#include <algorithm>

#include <kernels/radix_sort.hpp>
#include <kernels/reference/sampling.hpp>
#include <kernels/reference/top_p.hpp>
#include <kernels/sampling.hpp>
#include <kernels/top_p.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// How many keys have each of the 256 digits from a bit on.
inline std::vector<unsigned> digit_counts(const std::vector<unsigned>& keys, unsigned shift, unsigned mask) {
  std::vector<unsigned> out(256);
  for (const unsigned key : keys) ++out[key >> shift & mask];
  return out;
}
inline std::vector<unsigned> starts_of(const std::vector<unsigned>& counts) {
  std::vector<unsigned> out(counts.size());
  for (std::size_t k = 1; k < counts.size(); ++k) out[k] = k % 256 == 0 ? 0 : out[k - 1] + counts[k - 1];
  return out;
}
/// Scratch memory behind its tickets.
inline std::vector<unsigned> with_tickets(const std::vector<unsigned>& counts) {
  std::vector<unsigned> out(tg::kernels::detail::radix_counts);
  out.insert(out.end(), counts.begin(), counts.end());
  return out;
}

/// Bits 3 to 29: three whole digits and one of two bits.
inline constexpr auto try_digit_counts = [](auto& t, const shape& s) {
  const auto keys = t.template integers<unsigned>(s.n);
  std::vector<unsigned> wanted;
  for (const unsigned shift : {3u, 11u, 19u, 27u}) {
    const auto own = digit_counts(keys, shift, shift == 27 ? 3 : 255);
    wanted.insert(wanted.end(), own.begin(), own.end());
  }
  wanted = with_tickets(wanted);
  t.launch(tg::grid(3), t.in(keys), t.in_out(std::vector<unsigned>(wanted.size()), exactly(wanted)), s.n, 3u, 29u);
};
inline constexpr auto try_digit_starts = [](auto& t, const shape& s) {
  const auto counts = t.template integers<unsigned>(256 * s.n, 0, 1000);
  t.launch(tg::grid(s.n), t.in_out(with_tickets(counts), exactly(with_tickets(starts_of(counts)))));
};

/// One pass by the second digit of eight bits: keys in that order, and where each was.
struct sorted_part { std::vector<unsigned> keys, places; };
inline sorted_part sorted_by_digit(const std::vector<unsigned>& keys) {
  sorted_part out{{}, std::vector<unsigned>(keys.size())};
  for (unsigned i = 0; i < keys.size(); ++i) out.places[i] = i;
  std::stable_sort(out.places.begin(), out.places.end(),
                   [&](unsigned a, unsigned b) { return (keys[a] >> 8 & 255) < (keys[b] >> 8 & 255); });
  for (const unsigned i : out.places) out.keys.push_back(keys[i]);
  return out;
}
inline std::vector<unsigned> pass_scratch(const std::vector<unsigned>& keys) {
  auto out = with_tickets(starts_of(digit_counts(keys, 8, 255)));
  out.resize(tg::kernels::radix_scratch(static_cast<unsigned>(keys.size()), 4, 8, 16));
  return out;
}
inline constexpr auto try_pass = [](auto& t, const shape& s) {
  const auto keys = t.template integers<unsigned>(s.n);
  t.launch(tg::grid(tg::kernels::radix_blocks(s.n, 4)), t.in(keys),
           t.template out<unsigned>(exactly(sorted_by_digit(keys).keys)), t.scratch(pass_scratch(keys)), s.n, 0u, 8u, 255u);
};
inline constexpr auto try_pass_of_pairs = [](auto& t, const shape& s) {
  const auto keys = t.template integers<unsigned>(s.n, 0, 2047);
  const auto sorted = sorted_by_digit(keys);
  std::vector<unsigned> places(s.n);
  for (unsigned i = 0; i < s.n; ++i) places[i] = i;
  t.launch(tg::grid(tg::kernels::radix_blocks(s.n, 4)), t.in(keys), t.template out<unsigned>(exactly(sorted.keys)),
           t.scratch(pass_scratch(keys)), s.n, 0u, 8u, 255u, t.in(places), t.template out<unsigned>(exactly(sorted.places)));
};

/// Rows of n elements, and the k largest of each.
inline std::vector<shape> rows_and_k() {
  std::vector<shape> out;
  for (const unsigned n : {1u, 2u, 64u, 255u, 256u, 257u, 509u, 2048u})
    for (const unsigned k : {1u, 33u, 64u})
      if (k <= n) out.push_back({3, n, k});
  return out;
}
inline constexpr auto try_top_k = [](auto& t, const shape& s) {
  auto x = t.floats(std::size_t{s.m} * s.n);
  for (std::size_t i = 1; i < x.size(); ++i)
    if (t.engine()() % 8 == 0) x[i] = x[i - 1];
  std::vector<float> values;
  std::vector<unsigned> places;
  for (unsigned r = 0; r < s.m; ++r) {
    const float* row = &x[std::size_t{r} * s.n];
    std::vector<unsigned> order(s.n);
    for (unsigned i = 0; i < s.n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return row[a] > row[b]; });
    for (unsigned i = 0; i < s.k; ++i) values.push_back(row[order[i]]), places.push_back(order[i]);
  }
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n), t.template out<float>(exactly(values), s.m, s.k),
           t.template out<unsigned>(exactly(places), s.m, s.k), s.n, s.k);
};
/// Where the number drawn is near the end of a token's share, any token may come.
inline constexpr auto try_sample_tokens = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * s.n, -3, 3);
  const unsigned seed = t.engine()(), step = t.engine()();
  const float temperature = 0.8f;
  expectation wanted;
  for (unsigned r = 0; r < s.m; ++r) {
    const tg::kernels::reference::choices choices(&x[std::size_t{r} * s.n], s.n, s.k, 1, temperature);
    const double u = tg::kernels::reference::drawn(r, step, seed);
    std::size_t i = 0;
    while (i + 1 < choices.column.size() && u >= choices.up_to[i]) ++i;
    const bool is_near = (i > 0 && u - choices.up_to[i - 1] < 1e-4) || choices.up_to[i] - u < 1e-4;
    wanted.value.push_back(choices.column[i]);
    wanted.bound.push_back(is_near ? std::numeric_limits<double>::infinity() : 0);
  }
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n), t.template out<unsigned>(wanted), s.n, s.k, 1.0f, temperature, seed, step);
};

/// Likewise, and where the share is nearly that of one token fewer or more.
inline constexpr auto try_sample_top_p = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * s.n, -3, 3);
  const unsigned seed = t.engine()(), step = t.engine()();
  const float temperature = 0.8f, p = 0.9f;
  expectation wanted;
  for (unsigned r = 0; r < s.m; ++r) {
    const float* row = &x[std::size_t{r} * s.n];
    const tg::kernels::reference::nucleus own(row, s.n, p, temperature);
    const double u = tg::kernels::reference::drawn(r, step, seed);
    std::size_t i = 0;
    while (i + 1 < own.column.size() && u >= own.up_to[i]) ++i;
    bool is_near = (i > 0 && u - own.up_to[i - 1] < 1e-5) || own.up_to[i] - u < 1e-5;
    for (const double other : {p - 1e-5, p + 1e-5})
      is_near = is_near || tg::kernels::reference::nucleus(row, s.n, other, temperature).column.size() != own.column.size();
    wanted.value.push_back(own.column[i]);
    wanted.bound.push_back(is_near ? std::numeric_limits<double>::infinity() : 0);
  }
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n), t.template out<unsigned>(wanted), s.n, p, temperature, seed, step);
};

}  // namespace detail

inline constexpr row radix_clear{
    tg::kernels::radix_clear,
    {.family = "sorting", .other = {"sorting.cu", "radix_clear"}, .large = {1, 1u << 20}},
    lines(256),
    [](auto& t, const shape& s) { t.launch(tg::grid(3), t.template out<unsigned>(exactly(std::vector<unsigned>(s.n))), s.n); }};
inline constexpr row radix_digit_counts{
    tg::kernels::radix_digit_counts<unsigned>,
    {.family = "sorting", .other = {"sorting.cu", "radix_digit_counts"}, .large = {1, 1u << 20}},
    lines(256),
    detail::try_digit_counts};
inline constexpr row radix_digit_starts{tg::kernels::radix_digit_starts,
                                        {.family = "sorting", .other = {"sorting.cu", "radix_digit_starts"}, .large = {1, 8}},
                                        [] { return std::vector<shape>{{1, 1}, {1, 4}, {1, 8}}; },
                                        detail::try_digit_starts};
// One part: see scans.hpp.
inline constexpr row radix_pass{
    tg::kernels::radix_pass<unsigned>,
    {.family = "sorting", .writes = placing::permuted, .other = {"radix_pass.cu", "radix_pass"}, .large = {1, 4096}},
    lines(tg::kernels::radix_part(4)),
    detail::try_pass};
inline constexpr row radix_pass_of_pairs{
    tg::kernels::radix_pass_of_pairs<unsigned, unsigned>,
    {.family = "sorting", .writes = placing::permuted, .other = {"radix_pass.cu", "radix_pass_of_pairs"}, .large = {1, 4096}},
    lines(tg::kernels::radix_part(4)),
    detail::try_pass_of_pairs};

inline constexpr row top_k{tg::kernels::top_k,
                           {.family = "sorting", .other = {"sorting.cu", "top_k"}, .large = {16, 32768, 64}},
                           detail::rows_and_k,
                           detail::try_top_k};
inline constexpr row sample_tokens{tg::kernels::sample_tokens,
                                   {.family = "sorting", .other = {"sorting.cu", "sample_tokens"}, .large = {16, 32768, 64}},
                                   detail::rows_and_k,
                                   detail::try_sample_tokens};
inline constexpr row sample_top_p{tg::kernels::sample_top_p,
                                  {.family = "sorting", .other = {"top_p.cu", "sample_top_p"}, .large = {16, 32768}},
                                  [] { return std::vector<shape>{{3, 1}, {3, 2}, {3, 255}, {3, 257}, {3, 2048}, {3, 3001}}; },
                                  detail::try_sample_top_p};

template <class Ask> void each_sort(Ask ask) {
  ask(radix_clear);
  ask(radix_digit_counts);
  ask(radix_digit_starts);
  ask(radix_pass);
  ask(radix_pass_of_pairs);
  ask(top_k);
  ask(sample_tokens);
  ask(sample_top_p);
}

}  // namespace registry
