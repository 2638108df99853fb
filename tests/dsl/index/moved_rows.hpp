// How many sectors accesses to a matrix move whose base and pitch are unknown, by trying bases and pitches: what judges which
// warps are taken to be alike.
#pragma once

#include <algorithm>
#include <numeric>
#include <set>

#include "lane_by_lane.hpp"

namespace lane_by_lane {

/// The most sectors that a warp's request moves, by trying each base and pitch that differ in their alignment: lane l is at
/// (row[l] + base row) * pitch + column[l] + base. Rows lie far apart, and the array starts at a multiple of 16 bytes.
inline int most_sectors(const int (&rows)[32], const int (&columns)[32], int row_divisor, int pitch_divisor, int divisor,
                        int element_bytes, int access_bytes) {
  const int period = 128 / element_bytes;
  std::size_t most = 0;
  for (int pitch = 4096; pitch < 4096 + period; pitch += pitch_divisor)
    for (int row = 0; row < 4 * row_divisor; row += row_divisor)
      for (int base = 0; base < period; base += std::gcd(divisor, 16 / element_bytes)) {
        std::set<int> sectors;
        for (int l = 0; l < 32; ++l) {
          const int first = ((rows[l] + row) * pitch + columns[l] + base) * element_bytes;
          sectors.insert({first / 32, (first + access_bytes - 1) / 32});
        }
        most = std::max(most, sectors.size());
      }
  return static_cast<int>(most);
}

/// Of warps: how many were tried, for how many fewer sectors are said than the trial finds, and for how many another number.
struct tried_warps {
  int all = 0, low = 0, other = 0;

  tried_warps& operator+=(const tried_warps& more) {
    all += more.all, low += more.low, other += more.other;
    return *this;
  }
};

/// An access at (row + a multiple of R) * (a multiple of P) + column + a multiple of D, of which the costs of `SaidRow` are
/// said.
template <class Row, class Column, int R, int P, int D, int ElementBytes, int AccessBytes, class SaidRow = Row>
tried_warps try_sectors() {
  using form = add<mul<add<SaidRow, any<R>>, any<P>>, add<Column, any<D>>>;
  using check = tg::detail::global_check<form, ElementBytes, AccessBytes, 16>;
  static_assert(tg::index::detail::has_rows<form>);
  tried_warps out;
  for (int w = 0; w < tg::index::block_of<form>.warps(); ++w) {
    int rows[32], columns[32];
    for (std::size_t l = 0; l < 32; ++l) {
      rows[l] = static_cast<int>(evaluate<Row>(w).offset[l]);
      columns[l] = static_cast<int>(evaluate<Column>(w).offset[l]);
    }
    const auto own = static_cast<std::size_t>(tg::index::distinct_warps<check, form>::like[static_cast<std::size_t>(w)]);
    const int said = tg::index::costs_of<check, form>[own].sectors;
    const int found = most_sectors(rows, columns, R, P, D, ElementBytes, AccessBytes);
    out += {1, said < found, said != found};
  }
  return out;
}

}  // namespace lane_by_lane
