// Compares what the compiler says of each access of a kernel with what the emulator counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/tg.hpp>

/// One access of a kernel, and what was counted: sectors in global memory, wavefronts in shared memory.
struct ledger_row {
  tg::access access;
  std::uint32_t number = 0;                                         // in `lowered_kernel::accesses`
  std::size_t threads = 0;                                          // of a block
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();  // of the requests of full warps
  std::uint32_t most = 0;
  std::uint64_t requests = 0;  // of all warps
  std::uint64_t total = 0;

  std::size_t warps() const { return (threads + 31) / 32; }
  /// What one warp pays at the worst base and at the best.
  std::uint32_t most_of(std::size_t warp) const {
    return access.is_shared ? access.shared_of_warp[warp].wavefronts : access.global_of_warp[warp].sectors;
  }
  std::uint32_t least_of(std::size_t warp) const {
    return access.is_shared ? access.shared_of_warp[warp].wavefronts : access.global_of_warp[warp].sectors_best;
  }
  /// What the dearest and the cheapest full warp pays; of a block without one, its only warp.
  std::uint32_t compiled() const {
    std::uint32_t out = most_of(0);
    for (std::size_t w = 1; w < threads / 32; ++w) out = std::max(out, most_of(w));
    return out;
  }
  std::uint32_t compiled_best() const {
    std::uint32_t out = least_of(0);
    for (std::size_t w = 1; w < threads / 32; ++w) out = std::min(out, least_of(w));
    return out;
  }
  /// Whether all requests together cost what those of all warps add up to; where some were clamped to an edge, no more.
  /// Requires: each warp made as many.
  bool adds_up() const {
    std::uint64_t best = 0, worst = 0;
    for (std::size_t w = 0; w < warps(); ++w) best += least_of(w), worst += most_of(w);
    return requests % warps() == 0 && total <= worst * (requests / warps()) &&
           (access.is_shared || least < compiled_best() || total >= best * (requests / warps()));
  }
  std::string text() const {
    return (access.is_shared ? "shared " : "global ") + std::string(access.is_write ? "store" : "load") + " on line " +
           std::to_string(access.where.line) + ": counted " + std::to_string(total) + " in " + std::to_string(requests) +
           " requests, " + std::to_string(least) + " to " + std::to_string(most) + " by full warps, compiled " +
           std::to_string(compiled_best()) + " to " + std::to_string(compiled());
  }

  /// Adds what an instruction did.
  void add(const tg::emulator::instruction_counters& i) {
    requests += i.requests;
    total += access.is_shared ? i.wavefronts : i.sectors;
    if (i.full_requests == 0) return;
    least = std::min(least, access.is_shared ? i.full_wavefronts_min : i.full_sectors_min);
    most = std::max(most, access.is_shared ? i.full_wavefronts_max : i.full_sectors_max);
  }
};

/// Whether the lanes of a kernel collapse on one address at the edge of its data, where they cost less than inside.
enum class edges { plain, clamped };

/// The accesses of a kernel that are in its PTX, with the counts of all launches made through it.
template <class K> class ledger {
 public:
  explicit ledger(const K& kernel) : lowered_(tg::lower(kernel)) {
    for (const tg::ptx::instruction& i : body()) {
      if (i.access >= lowered_.accesses.size()) continue;
      rows_.push_back({lowered_.accesses[i.access], i.access, K::block.threads});
      if (i.op != tg::ptx::opcode::cp) continue;
      // One instruction and two accesses: it writes to shared memory what it reads.
      rows_.push_back(rows_.back());
      rows_.back().access.is_shared = rows_.back().access.is_write = true;
    }
  }

  /// Counts what `launch` does. Requires: one launch of this kernel, on the emulator.
  template <class Launch> void count(Launch launch) {
    tg::emulator::count_launches(true);
    launch();
    tg::emulator::count_launches(false);
    for (const auto& i : tg::emulator::counters_of_last_launch().instructions) {
      if (i.requests == 0) continue;
      const std::uint32_t number = body().at(i.index).access;
      if (number >= lowered_.accesses.size()) throw std::logic_error("a request of no access of the kernel");
      for (ledger_row& row : rows_)
        if (row.number == number) row.add(i);
    }
  }

  const tg::lowered_kernel& lowered() const { return lowered_; }

  /// The accesses that are in the PTX, a copy both as a load and as a store.
  const tg::dynamic_array<ledger_row>& rows() const { return rows_; }

  /// Accesses that never ran, cost more than compiled, or never cost as much or (but at clamped edges) as little.
  /// Requires: launches at the best and the worst alignment.
  tg::dynamic_array<std::string> mismatches(edges e = edges::plain) const {
    tg::dynamic_array<std::string> out;
    for (const ledger_row& row : rows()) {
      const bool is_full = row.most > 0;
      const bool fits =
          row.requests > 0 && row.total <= row.requests * std::max(row.compiled(), row.most_of(row.warps() - 1)) &&
          (!is_full || row.most == row.compiled()) && (!is_full || e == edges::clamped || row.least == row.compiled_best());
      if (!fits) out.push_back(row.text());
    }
    return out;
  }

 private:
  const tg::dynamic_array<tg::ptx::instruction>& body() const { return lowered_.module.functions.front().body; }

  tg::lowered_kernel lowered_;
  tg::dynamic_array<ledger_row> rows_;
};
