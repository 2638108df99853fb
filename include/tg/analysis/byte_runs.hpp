#pragma once
// The bytes one warp request touches, as sorted runs that do not touch each other.
#include <tg/analysis/lane_value.hpp>

namespace tg::analysis {

/// Bytes [begin, end) of one row. Lanes whose factors of the unknown strides agree are in one row; rows are taken to lie
/// far apart. `lane` is one lane of the row.
struct byte_run {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  int lane = 0;
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

struct byte_runs {
  std::array<byte_run, warp_lanes> at{};
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

constexpr void sort_runs(byte_run* at, int count, const row_factors& rows) {
  for (int i = 1; i < count; ++i) {
    const byte_run run = at[i];
    int to = i;
    for (; to > 0; --to) {
      const int order = rows.compare(run.lane, at[to - 1].lane);
      if (order > 0 || (order == 0 && run.begin >= at[to - 1].begin)) break;
      at[to] = at[to - 1];
    }
    at[to] = run;
  }
}

}  // namespace detail

/// The runs of bytes where each active lane touches `access_bytes` from `first_byte[lane]` on.
/// Cost: linear when lanes go up, down or in a few pieces; quadratic only for scattered lanes.
constexpr byte_runs collect_runs(const lanes& first_byte, int access_bytes, lane_mask active, row_factors rows = {}) {
  byte_runs r;
  byte_run* const at = r.at.data();
  const std::int64_t* const first = first_byte.data();
  if (active == all_lanes && rows.count == 0 && detail::is_one_run(first, access_bytes)) {
    at[0] = {first[0], first[0] + std::int64_t{warp_lanes} * access_bytes, 0};
    r.count = 1;
    return r;
  }
  int count = 0;
  for (int l = 0; l < warp_lanes; ++l) {
    if ((active >> l & 1) == 0) continue;
    const std::int64_t begin = first[l];
    const std::int64_t end = begin + access_bytes;
    if (count > 0) {
      byte_run& last = at[count - 1];
      if (begin <= last.end && end >= last.begin && rows.compare(l, last.lane) == 0) {
        if (begin < last.begin) last.begin = begin;
        if (end > last.end) last.end = end;
        continue;
      }
    }
    at[count++] = {begin, end, l};
  }
  detail::sort_runs(at, count, rows);
  for (int i = 0; i < count; ++i) {
    byte_run* const last = r.count > 0 ? &at[r.count - 1] : nullptr;
    if (last && at[i].begin <= last->end && rows.compare(at[i].lane, last->lane) == 0) {
      if (at[i].end > last->end) last->end = at[i].end;
    } else {
      at[r.count++] = at[i];
    }
  }
  return r;
}

}  // namespace tg::analysis
