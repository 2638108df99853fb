// Sorting: the launches that a radix sort is made of.
#pragma once

#include <algorithm>

#include <kernels/radix_sort.hpp>
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

}  // namespace detail

inline constexpr row radix_digit_counts{tg::kernels::radix_digit_counts<unsigned>,
                                        {.family = "sorting", .bound = limit::latency, .large = {1, 1u << 20}},
                                        lines(256),
                                        detail::try_digit_counts};
inline constexpr row radix_digit_starts{tg::kernels::radix_digit_starts,
                                        {.family = "sorting", .bound = limit::latency, .large = {1, 8}},
                                        [] { return std::vector<shape>{{1, 1}, {1, 4}, {1, 8}}; },
                                        detail::try_digit_starts};
inline constexpr row radix_pass{tg::kernels::radix_pass<unsigned>,
                                {.family = "sorting", .large = {1, 1u << 20}},
                                lines(tg::kernels::radix_part(4)),
                                detail::try_pass};
inline constexpr row radix_pass_of_pairs{tg::kernels::radix_pass_of_pairs<unsigned, unsigned>,
                                         {.family = "sorting", .large = {1, 1u << 20}},
                                         lines(tg::kernels::radix_part(4)),
                                         detail::try_pass_of_pairs};

template <class Ask> void each_sort(Ask ask) {
  ask(radix_digit_counts);
  ask(radix_digit_starts);
  ask(radix_pass);
  ask(radix_pass_of_pairs);
}

}  // namespace registry
