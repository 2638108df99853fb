// The bytes one warp request touches, as sorted runs that do not touch each other.
#pragma once

#include <tg/analysis/lane_value.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::analysis {

/// Bytes [begin, end) of one row. Lanes whose factors of the unknown strides agree are in one row; rows are taken to
/// lie far apart.
struct byte_run {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  int lane = 0;  ///< one that touches it
  int row = 0;   ///< rows are counted from 0
};

/// Factors of the unknown strides, lane by lane; none where addresses are exact.
struct row_factors {
  const lane_stride* strides = nullptr;
  int count = 0;

  /// Returns: below 0, 0, above 0 as the row of `a` is before, equal to or after the row of `b`.
  constexpr int compare(int a, int b) const {
    for (int k = 0; k < count; ++k) {
      const std::int64_t* const coef = strides[k].coef.data();
      if (coef[a] != coef[b]) return coef[a] < coef[b] ? -1 : 1;
    }
    return 0;
  }
};

/// All bytes of a request, in order of row and address.
struct byte_runs {
  fixed_array<byte_run, warp_lanes> at{};
  int count = 0;

  constexpr int touched_bytes() const {
    std::int64_t sum = 0;
    for (int i = 0; i < count; ++i) sum += at[i].end - at[i].begin;
    return static_cast<int>(sum);
  }
};

namespace detail {

/// Whether the lanes read one stretch of memory in order, as most do.
constexpr bool is_one_run(const std::int64_t* first_byte, int access_bytes) {
  std::int64_t difference = 0;
  for (int l = 0; l < warp_lanes; ++l) difference |= first_byte[l] - first_byte[0] - std::int64_t{l} * access_bytes;
  return difference == 0;
}

/// Below 0, 0, above 0 as a is in a row before that of b, in the same, or after it.
constexpr int compare_rows(const byte_run& a, const byte_run& b, const row_factors& rows) {
  return rows.count == 0 ? 0 : rows.compare(a.lane, b.lane);
}

constexpr void sort_runs(byte_run* at, int count, const row_factors& rows) {
  const auto is_before = [&](const byte_run& a, const byte_run& b) {
    const int order = compare_rows(a, b, rows);
    return order < 0 || (order == 0 && a.begin < b.begin);
  };
  for (int i = 1; i < count; ++i) {
    if (!is_before(at[i], at[i - 1])) continue;
    const byte_run run = at[i];
    int to = i;
    for (; to > 0 && is_before(run, at[to - 1]); --to) at[to] = at[to - 1];
    at[to] = run;
  }
}

/// Joins sorted runs that touch, and numbers their rows. Returns: how many are left.
constexpr int join_runs(byte_run* at, int count, const row_factors& rows) {
  int last = 0;
  at[0].row = 0;
  for (int i = 1; i < count; ++i) {
    const bool is_same_row = compare_rows(at[i], at[last], rows) == 0;
    if (is_same_row && at[i].begin <= at[last].end) {
      if (at[i].end > at[last].end) at[last].end = at[i].end;
      continue;
    }
    const int row = at[last].row + (is_same_row ? 0 : 1);
    if (++last != i) at[last] = at[i];
    at[last].row = row;
  }
  return count == 0 ? 0 : last + 1;
}

}  // namespace detail

/// The runs of bytes where each active lane touches `access_bytes` from `first_byte[lane]` on.
/// Cost: linear when lanes go up, down or in a few pieces; quadratic only for scattered lanes.
constexpr byte_runs collect_runs(const lanes& first_byte, int access_bytes, lane_mask active, row_factors rows = {}) {
  byte_runs r;
  byte_run* const at = r.at.data();
  const std::int64_t* const first = first_byte.data();
  if (active == all_lanes && rows.count == 0 && detail::is_one_run(first, access_bytes)) {
    at[0] = {first[0], first[0] + std::int64_t{warp_lanes} * access_bytes, 0, 0};
    r.count = 1;
    return r;
  }
  int count = 0;
  bool is_sorted = true;
  for (int l = 0; l < warp_lanes; ++l) {
    if ((active >> l & 1) == 0) continue;
    const std::int64_t begin = first[l], end = begin + access_bytes;
    int row = 0;
    if (count > 0) {
      byte_run& last = at[count - 1];
      const int order = rows.count == 0 ? 0 : rows.compare(l, last.lane);
      if (order == 0 && begin <= last.end && end >= last.begin) {
        if (begin < last.begin) {
          last.begin = begin;
          is_sorted = is_sorted && count == 1;  // it may reach the run before it
        }
        if (end > last.end) last.end = end;
        continue;
      }
      is_sorted = is_sorted && (order > 0 || (order == 0 && begin > last.end));
      row = last.row + (order != 0);
    }
    at[count++] = {begin, end, l, row};
  }
  if (!is_sorted) {
    detail::sort_runs(at, count, rows);
    count = detail::join_runs(at, count, rows);
  }
  r.count = count;
  return r;
}

}  // namespace tg::analysis
