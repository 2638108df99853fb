// Compares what the compiler says of each access of a kernel with what the emulator counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tg/emulator/driver_table.hpp>
#include <tg/tg.hpp>

/// One access of a kernel, and the cheapest and dearest request of a full warp that was counted.
struct ledger_row {
  tg::access access;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t most = 0;

  std::string text() const {
    return (access.is_shared ? "shared " : "global ") + std::string(access.is_write ? "store" : "load") + " on line " +
           std::to_string(access.where.line) + ": counted " + std::to_string(least) + " to " + std::to_string(most) +
           ", compiled " + (access.is_shared ? std::to_string(access.shared.wavefronts)
                                             : std::to_string(access.global.sectors_best) + " to " + std::to_string(access.global.sectors));
  }
};

/// The accesses of a kernel that are in its PTX, with the counts of all launches made through it.
template <class K>
class ledger {
 public:
  explicit ledger(const K& kernel) : lowered_(tg::lower(kernel)) {
    for (const auto& a : lowered_.accesses) rows_.push_back({a});
  }

  /// Counts what `launch` does. Requires: one launch of this kernel, on the emulator.
  template <class Launch>
  void count(Launch launch) {
    tg::emulator::count_launches(true);
    launch();
    tg::emulator::count_launches(false);
    const auto& body = lowered_.module.functions.front().body;
    for (const auto& i : tg::emulator::counters_of_last_launch().instructions) {
      if (i.full_requests == 0) continue;
      ledger_row& row = rows_.at(body.at(i.index).access);
      row.least = std::min(row.least, row.access.is_shared ? i.full_wavefronts_min : i.full_sectors_min);
      row.most = std::max(row.most, row.access.is_shared ? i.full_wavefronts_max : i.full_sectors_max);
    }
  }

  /// The accesses that are in the PTX.
  std::vector<ledger_row> rows() const {
    std::vector<ledger_row> out;
    for (const auto& i : lowered_.module.functions.front().body)
      if (i.access < rows_.size()) out.push_back(rows_[i.access]);
    return out;
  }

 private:
  tg::lowered_kernel lowered_;
  std::vector<ledger_row> rows_;
};
