// Adds up what the instructions of a kernel cost, each as often as its loops and branches let it run.
#pragma once

#include <tg/dsl/cost/cost.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/cost/branch_paths.hpp>
#include <tg/dsl/cost/kernel_cost.hpp>
#include <tg/dsl/cost/loop_trips.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/instruction_work.hpp>
#include <tg/ptx/registers/pressure_profile.hpp>

namespace tg::detail {

// An arithmetic instruction that must stay in its place, such as a read of the clock, is one of the others.
inline instruction_class class_of(const ptx::instruction& i) {
  const instruction_class usual = ptx::row_of(i.op).kind;
  return usual == instruction_class::arithmetic && !ptx::is_pure(i) ? instruction_class::other : usual;
}

/// Adds up the instructions of one kernel.
class cost_sum {
 public:
  cost_sum(const lowered_kernel& k, analysis::block_extent block, std::uint64_t blocks)
      : kernel_(k), f_(k.module.functions.front()), trips_(f_, block), paths_(f_, block) {
    out_.name = f_.name;
    out_.blocks = blocks;
    out_.block_threads = block.threads();
    for (const ptx::variable& v : k.module.variables)
      if (v.space == ptx::token::shared && v.count > 0) out_.shared_bytes += v.count * ptx::width_bits(v.type) / 8;
    out_.shared_bytes += ptx::fixed_tile_bytes(k.module.tiles);
    for (const ptx::shared_tile& t : k.module.tiles) out_.sized_tiles += !ptx::is_fixed(t);
    out_.live_registers = ptx::liveness(f_).peak().registers;
  }

  kernel_cost operator()() {
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      paths_.step(n);
      if (f_.body[n].op == ptx::opcode::label || f_.body[n].op == ptx::opcode::assume) continue;
      add(n);
      if (!paths_.is_open()) continue;
      const source_line where = line_of(f_.body[n].where);
      auto& known = out_.open_branches;
      if (std::find(known.begin(), known.end(), where) == known.end()) known.push_back(where);
    }
    for (const flat_loop& loop : trips_.loops())
      if (!loop.is_counted) out_.uncounted_loops.push_back(line_of(f_.body[loop.end].where));
    std::sort(out_.lines.begin(), out_.lines.end(), [](const line_cost& a, const line_cost& b) {
      return a.where.file != b.where.file ? a.where.file < b.where.file : a.where.line < b.where.line;
    });
    return std::move(out_);
  }

 private:
  // How one warp runs one instruction.
  struct warp_run {
    std::uint64_t turns = 0;  // as often as the lane that runs it most
    std::uint64_t lanes = 0;  // runs of all its lanes
    int active = 0;           // lanes that take part
    bool is_full = false;     // each lane that there is, in each turn
  };
  struct runs {
    std::array<warp_run, analysis::max_block_warps> of_warp{};
    std::uint64_t turns = 0, lanes = 0;  // of all warps
  };

  source_line line_of(ptx::location l) const { return {kernel_.module.files[l.file], l.line}; }

  /// Counts only the threads for which `takes_part` holds.
  template <class TakesPart> runs runs_where(const dynamic_array<std::uint64_t>& per_thread, TakesPart takes_part) const {
    runs out;
    std::array<int, analysis::max_block_warps> lanes_there{};
    for (std::size_t t = 0; t < per_thread.size(); ++t) {
      warp_run& own = out.of_warp[t / analysis::warp_lanes];
      ++lanes_there[t / analysis::warp_lanes];
      if (per_thread[t] == 0 || !takes_part(t)) continue;
      const std::uint64_t turns = per_thread[t] * out_.blocks;
      own.turns = std::max(own.turns, turns);
      own.lanes += turns;
      ++own.active;
    }
    for (std::size_t w = 0; w < out.of_warp.size(); ++w) {
      warp_run& own = out.of_warp[w];
      own.is_full = own.active == lanes_there[w] && own.lanes == own.turns * static_cast<std::uint64_t>(own.active);
      out.turns += own.turns;
      out.lanes += own.lanes;
    }
    return out;
  }

  void add(std::uint32_t n) {
    const ptx::instruction& i = f_.body[n];
    const auto per_thread = trips_.runs_of(n);
    const runs possible = runs_where(per_thread, [&](std::size_t t) { return paths_.is_possible(t); });
    const runs sure = runs_where(per_thread, [&](std::size_t t) { return paths_.is_sure(t); });
    cost_figures most = figures_of(i, possible, per_thread, true), least = figures_of(i, sure, per_thread, false);
    most.instructions = runs_where(per_thread, [&](std::size_t t) { return paths_.may_come(t); }).turns;
    least.instructions = runs_where(per_thread, [&](std::size_t t) { return paths_.is_sure_to_come(t); }).turns;
    out_ += most;
    out_.at_least += least;
    out_.by_class[static_cast<std::size_t>(class_of(i))] += most.instructions;
    line_cost& line = line_of_instruction(i);
    line += most;
    line.at_least += least;
    if (i.access == ptx::no_index || kernel_.accesses[i.access].verdict != verdict::gather) return;
    ++out_.uncounted_accesses;
    out_.data_sectors += most.sectors - most.sectors_best;
    out_.data_wavefronts += most.wavefronts - most.ideal_wavefronts;
  }

  cost_figures figures_of(const ptx::instruction& i, const runs& r, const dynamic_array<std::uint64_t>& per_thread,
                          bool is_most) const {
    cost_figures own;
    own.flops = ptx::flops_of(i) * r.lanes;
    own.multiply_adds = ptx::matrix_work_of(i).multiply_adds * r.turns;
    if (ptx::has_trait(i.op, ptx::trait::meets_block) && r.lanes != 0) own.barriers = per_thread.front() * out_.blocks;
    if (i.access == ptx::no_index) return own;
    const access& a = kernel_.accesses[i.access];
    (a.is_shared ? own.shared_requests : own.global_requests) = r.turns;
    if (!a.is_shared) own.bytes = static_cast<std::uint64_t>(a.access_bytes) * r.lanes;
    const bool is_copy = ptx::has_trait(i.op, ptx::trait::copies);  // it writes to shared memory what it reads
    if (is_copy) own.shared_requests = r.turns;
    for (std::size_t w = 0; w < r.of_warp.size(); ++w) {
      const warp_run& of_warp = r.of_warp[w];
      if (of_warp.turns == 0) continue;
      if (!a.is_shared) add_sectors(own, a, of_warp, w, is_most);
      if (a.is_shared || is_copy) add_wavefronts(own, a, of_warp, w, is_most);
    }
    return own;
  }

  // Where data choose the addresses each lane may have a sector of its own, or all the same: no lane's access straddles
  // two. Of a warp of which only some lanes are sure to take part, or may be at the bound of a clamp, one sector is sure.
  static void add_sectors(cost_figures& own, const access& a, const warp_run& r, std::size_t w, bool is_most) {
    const global_share& full = a.global_of_warp[w];
    const bool is_gather = a.verdict == verdict::gather;
    const bool is_known = !is_gather && (is_most || (r.is_full && !full.clamped));
    own.sectors_best += is_known ? full.sectors_best * r.turns : r.turns;
    own.ideal_sectors += is_known ? full.ideal_sectors * r.turns : r.turns;
    own.sectors += !is_most ? (is_known ? full.sectors_best * r.turns : r.turns) : is_gather ? r.lanes : full.sectors * r.turns;
  }

  // Fewest and most wavefronts. A warp whose lanes all take part needs at least one for each phase.
  static void add_wavefronts(cost_figures& own, const access& a, const warp_run& r, std::size_t w, bool is_most) {
    const shared_share& full = a.shared_of_warp[w];
    const bool is_gather = a.verdict == verdict::gather;
    const int phase_lanes = a.access_bytes <= 4 ? 32 : a.access_bytes <= 8 ? 16 : 8;
    const std::uint64_t phases = r.is_full ? static_cast<std::uint64_t>((r.active + phase_lanes - 1) / phase_lanes) : 1;
    const std::uint64_t least = (!is_gather && r.is_full && full.exact ? full.wavefronts : phases) * r.turns;
    own.ideal_wavefronts += !is_gather && is_most ? full.ideal_wavefronts * r.turns : phases * r.turns;
    own.wavefronts += !is_most ? least : is_gather ? r.lanes : full.wavefronts * r.turns;
  }

  line_cost& line_of_instruction(const ptx::instruction& i) {
    const source_line where = line_of(i.where);
    const auto found = std::find_if(out_.lines.begin(), out_.lines.end(), [&](const line_cost& l) { return l.where == where; });
    if (found != out_.lines.end()) return *found;
    out_.lines.emplace_back().where = where;
    return out_.lines.back();
  }

  const lowered_kernel& kernel_;
  const ptx::function& f_;
  loop_trips trips_;
  branch_paths paths_;
  kernel_cost out_;
};

TG_LIBRARY_FUNCTION kernel_cost cost_of(const lowered_kernel& kernel, analysis::block_extent block, std::uint64_t blocks) {
  return cost_sum(kernel, block, blocks)();
}

}  // namespace tg::detail
