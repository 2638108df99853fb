// Two threads that touch the same byte: exactly where symbols cancel, by divisors and ranges where they do not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/form.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>

namespace tg::proof {

/// Where one thread's access begins.
struct place {
  number start = 0;
  std::uint32_t thread = 0;
};

/// Brings places into ascending order.
inline void sort_places(dynamic_array<place>& places) {
  const auto by_start = [](const place& a, const place& b) { return a.start < b.start; };
  const auto is_behind = [](const place& a, const place& b) { return a.start >= b.start; };
  if (std::adjacent_find(places.begin(), places.end(), is_behind) != places.end())
    std::sort(places.begin(), places.end(), by_start);
}

/// Ascending by start; `modulus` 0: as they are.
inline dynamic_array<place> sorted_places(const form::column& starts, const dynamic_array<std::uint32_t>& who,
                                          number modulus = 0) {
  dynamic_array<place> out;
  out.reserve(who.size());
  for (const std::uint32_t t : who) {
    number at = starts[t];
    if (modulus != 0) at = (at % modulus + modulus) % modulus;
    out.push_back({at, t});
  }
  sort_places(out);
  return out;
}

/// Bytes from `begin` to before `end`.
struct byte_range {
  number begin = 0;
  number end = 0;
  friend bool operator==(const byte_range&, const byte_range&) = default;
};

/// The bytes of all places together, ascending; ranges that touch are joined. Requires: places ascend, `bytes` > 0.
inline dynamic_array<byte_range> ranges_of(const dynamic_array<place>& places, number bytes) {
  dynamic_array<byte_range> out;
  for (const place& p : places) {
    if (out.empty() || out.back().end < p.start) out.push_back({p.start, p.start});
    out.back().end = p.start + bytes;
  }
  return out;
}

/// The remainders of the bytes of `ranges` divided by `modulus`, as ranges between 0 and `modulus`.
inline dynamic_array<byte_range> on_circle(const dynamic_array<byte_range>& ranges, number modulus) {
  dynamic_array<byte_range> parts;
  for (const byte_range& r : ranges) {
    if (r.end - r.begin >= modulus) return {{0, modulus}};
    const number begin = (r.begin % modulus + modulus) % modulus, end = begin + (r.end - r.begin);
    parts.push_back({begin, std::min(end, modulus)});
    if (end > modulus) parts.push_back({0, end - modulus});
  }
  std::sort(parts.begin(), parts.end(), [](const byte_range& x, const byte_range& y) { return x.begin < y.begin; });
  dynamic_array<byte_range> out;
  for (const byte_range& r : parts) {
    if (out.empty() || out.back().end < r.begin) out.push_back(r);
    out.back().end = std::max(out.back().end, r.end);
  }
  return out;
}

/// Whether a byte lies in both. Requires: the ranges are those of `ranges_of`.
inline bool share_a_byte(const dynamic_array<byte_range>& a, const dynamic_array<byte_range>& b) {
  if (a.empty() || b.empty() || a.back().end <= b.front().begin || b.back().end <= a.front().begin) return false;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->end <= y->begin) ++x;
    else if (y->end <= x->begin) ++y;
    else return true;
  }
  return false;
}

/// Calls `visit(thread of a, thread of b, first shared byte)` for pairs that overlap until it returns true.
/// Returns: whether it did.
template <class Visit>
bool each_overlap(const dynamic_array<place>& a, number a_bytes, const dynamic_array<place>& b, number b_bytes, Visit visit) {
  std::size_t first = 0;
  for (const place& x : a) {
    while (first < b.size() && b[first].start + b_bytes <= x.start) ++first;
    for (std::size_t k = first; k < b.size() && b[k].start < x.start + a_bytes; ++k)
      if (visit(x.thread, b[k].thread, std::max(x.start, b[k].start))) return true;
  }
  return false;
}

/// Calls `visit` for each overlap of two places on a circle of `modulus` bytes, until it returns true.
template <class Visit>
bool each_overlap_on_circle(const dynamic_array<place>& a, number a_bytes, dynamic_array<place> b, number b_bytes,
                            number modulus, Visit visit) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    b.push_back({b[k].start - modulus, b[k].thread});
    b.push_back({b[k].start + modulus, b[k].thread});
  }
  std::sort(b.begin(), b.end(), [](const place& x, const place& y) { return x.start < y.start; });
  return each_overlap(a, a_bytes, b, b_bytes, visit);
}

/// An integer with a factor, in a range.
struct unknown_number {
  number factor = 0;
  number low = -unbounded;
  number high = unbounded;
  bool is_zero_excluded = false;
};

/// Whether sum of factor * x can lie between `low` and `high`; true where that is not decided.
/// Requires: the unknowns descend by |factor|.
inline bool can_reach(const unknown_number* x, std::size_t count, number low, number high) {
  if (count == 0) return low <= 0 && 0 <= high;
  number divisor = 0;
  number rest_low = 0, rest_high = 0;
  for (std::size_t k = 0; k < count; ++k) {
    divisor = std::gcd(divisor, x[k].factor);
    if (k == 0) continue;
    number one = 0, other = 0;
    const bool is_open = x[k].low <= -unbounded || x[k].high >= unbounded ||
                         __builtin_mul_overflow(x[k].factor, x[k].low, &one) ||
                         __builtin_mul_overflow(x[k].factor, x[k].high, &other) || std::abs(one) >= unbounded ||
                         std::abs(other) >= unbounded || rest_low <= -unbounded || rest_high >= unbounded;
    rest_low = is_open ? -unbounded : std::max(-unbounded, rest_low + std::min(one, other));
    rest_high = is_open ? unbounded : std::min(unbounded, rest_high + std::max(one, other));
  }
  if (divisor == 0) return low <= 0 && 0 <= high;
  const auto floor_div = [](number a, number b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  if (floor_div(high, divisor) < -floor_div(-low, divisor)) return false;
  if (rest_low <= -unbounded || rest_high >= unbounded) return true;
  number first = 0, last = 0;
  if (x->factor > 0) first = -floor_div(-(low - rest_high), x->factor), last = floor_div(high - rest_low, x->factor);
  else first = -floor_div(high - rest_low, -x->factor), last = floor_div(-(low - rest_high), -x->factor);
  first = std::max(first, x->low);
  last = std::min(last, x->high);
  if (last - first > 16) return true;
  for (number v = first; v <= last; ++v) {
    if (v == 0 && x->is_zero_excluded) continue;
    if (can_reach(x + 1, count - 1, low - x->factor * v, high - x->factor * v)) return true;
  }
  return false;
}

/// `n` bytes as whole rows of `row_bytes` and what is left, at most half a row either way; 0: there are no rows.
struct row_and_rest {
  number row = 0;
  number rest = 0;
};
/// Splits `n` bytes; see `row_and_rest`.
inline row_and_rest split(number n, number row_bytes) {
  if (row_bytes == 0) return {0, n};
  const number half = row_bytes / 2;
  const number row = n >= 0 ? (n + half) / row_bytes : -((half - n) / row_bytes);
  return {row, n - row * row_bytes};
}

}  // namespace tg::proof
