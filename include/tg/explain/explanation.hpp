// What there is to say about a kernel: its C++ lines and its PTX side by side, every access, costs, registers,
// roofline, proofs, and what an emulator counted. Plain data, from which the text and the page are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tg/analysis/device_table.hpp>
#include <tg/base/dynamic_array.hpp>

#include <tg/analysis/capability_table.hpp>
#include <tg/analysis/request.hpp>
#include <tg/dsl/cost/kernel_cost.hpp>
#include <tg/dsl/cost/unit_cycles.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/recorder/access.hpp>
#include <tg/emulator/counters/counters_summary.hpp>

namespace tg {

/// What ran of one access, over all launches that were counted. Units: sectors in global memory, wavefronts in shared.
struct measured_access {
  std::uint64_t requests = 0;
  std::uint64_t total = 0;
  std::uint32_t least = 0, most = 0;  ///< of requests of full warps; 0: there was none
};

/// Accesses of one C++ line that are alike. An asynchronous copy is two: it reads global memory and writes shared
/// memory.
struct explained_access {
  access judged = {};
  std::string kind = {};                           ///< "load", "store", "atomic", "copy", "matrix load", "matrix store"
  std::string object = {};                         ///< "parameter 1", "tile0"
  dynamic_array<std::uint32_t> instructions = {};  ///< numbers in the PTX function
  std::optional<analysis::request> lanes = {};     ///< what the worst warp asks for, at the best base; none: not known
  std::uint64_t block_total = 0;                   ///< of all warps, at the best base, where not all cost the same; else 0
  std::string fix = {};                            ///< empty where there is nothing to mend
  std::optional<measured_access> measured = {};

  bool is_bad() const { return judged.verdict == verdict::allowed; }
  /// Whether data decide what it costs, and it has not been counted.
  bool is_open() const { return judged.verdict == verdict::gather && !(measured && measured->requests > 0); }
  /// Sectors or wavefronts of one full warp where data are kindest and where they are worst. Requires: gathered.
  int least_of_data() const { return judged.is_shared && judged.access_bytes > 4 ? judged.access_bytes / 4 : 1; }
  static constexpr int most_of_data() { return analysis::warp_lanes; }
};

/// One line of the C++ source, with what it costs where the kernel has instructions of it.
struct explained_line {
  source_line where;
  std::string text;
  bool is_used = false;
  cost_figures cost;
  double share = 0;             ///< of the busy cycles of the kernel, 0 to 1
  std::uint32_t registers = 0;  ///< most that hold a value on this line
  std::optional<emulator::line_counters> measured;
};

/// One line of the PTX text.
struct explained_ptx {
  std::string text = {};
  std::uint32_t instruction = ptx::no_index;     ///< number in the function; none: a declaration, a label, a brace
  std::uint32_t source = ptx::no_index;          ///< number in `explanation::lines`
  std::uint32_t registers = 0;                   ///< that hold a value here
  std::optional<std::uint64_t> executions = {};  ///< counted by the emulator, of warps
};

/// One kernel on one GPU.
struct explanation {
  std::string kernel;
  analysis::block_extent block;
  analysis::device_figures device;
  kernel_cost cost;
  ptx::token matrix_type = ptx::token::none;  ///< of matrix instructions: the type of their factors
  dynamic_array<explained_line> lines;        ///< of the C++ source, by file
  dynamic_array<explained_ptx> ptx;
  dynamic_array<explained_access> accesses;  ///< in the order of the PTX
  dynamic_array<std::uint32_t> registers;    ///< that hold a value, at each PTX instruction
  std::uint32_t peak_instruction = 0;        ///< where they are most
  int expected_registers = 0;                ///< of ptxas; within the bound of the kernel
  int register_bound = analysis::max_thread_registers;
  bool spills = false;
  analysis::occupancy occupancy;
  analysis::roofline roof;
  std::string roof_name;  ///< "f32", "bf16 tensor cores"
  dynamic_array<finding> findings;
  dynamic_array<source_location> redundant_barriers;
  std::optional<emulator::counters> counted;
  cost_figures ran;  ///< what was counted, by the names of a cost

  /// Cycles that each unit is busy: from what was counted, or else from what is known before the kernel runs, with gathered
  /// accesses at their dearest.
  unit_cycles cycles() const {
    cost_figures own = counted ? ran : cost;
    if (!counted) own.sectors_best += cost.data_sectors;
    return busy_cycles(own, matrix_type, device);
  }
  /// Cycles that each unit is busy, with gathered accesses at their cheapest.
  unit_cycles least_cycles() const {
    cost_figures own = counted ? ran : cost;
    if (!counted) own.wavefronts -= cost.data_wavefronts;
    return busy_cycles(own, matrix_type, device);
  }
  /// Operations per byte of global memory, counted or else known before.
  double intensity() const {
    const double ops = static_cast<double>(ran.flops) + 2 * static_cast<double>(ran.multiply_adds);
    if (!counted) return cost.arithmetic_intensity();
    return ran.sectors_best == 0 ? 0 : ops / (32 * static_cast<double>(ran.sectors_best));
  }
  std::size_t count(answer a) const {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(), [&](const finding& f) { return f.answer == a; }));
  }
  std::size_t bad_accesses() const {
    std::size_t n = 0;
    for (const explained_access& a : accesses) n += a.is_bad() ? a.instructions.size() : 0;
    return n;
  }
  /// The used lines, those that keep the machine longest first.
  dynamic_array<const explained_line*> dearest_lines() const {
    dynamic_array<const explained_line*> out;
    for (const explained_line& l : lines)
      if (l.is_used) out.push_back(&l);
    std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->share > b->share; });
    return out;
  }

  /// Puts beside each figure what the emulator counted over launches of this kernel. The shares of lines and units become
  /// those of what ran.
  explanation& measured(const emulator::counters& all);
};

namespace detail {

inline cost_figures figures_of(const emulator::line_counters& l) {
  cost_figures out;
  out.instructions = l.executions;
  out.global_requests = l.global_requests;
  out.sectors = out.sectors_best = l.sectors;
  out.shared_requests = l.shared_requests;
  out.wavefronts = l.wavefronts;
  out.flops = l.flops;
  out.multiply_adds = l.multiply_adds;
  return out;
}

}  // namespace detail

inline explanation& explanation::measured(const emulator::counters& all) {
  counted = all;
  dynamic_array<const emulator::instruction_counters*> by_instruction(registers.size());
  emulator::counters own;
  for (const emulator::instruction_counters& c : all.instructions) {
    if (c.function != kernel) continue;
    own.instructions.push_back(c);
    if (c.index < by_instruction.size()) by_instruction[c.index] = &c;
  }
  for (explained_ptx& p : ptx)
    if (p.instruction < by_instruction.size() && by_instruction[p.instruction] != nullptr)
      p.executions = by_instruction[p.instruction]->executions;
  for (explained_access& a : accesses) {
    measured_access sum;
    for (const std::uint32_t n : a.instructions) {
      const auto* const c = n < by_instruction.size() ? by_instruction[n] : nullptr;
      if (c == nullptr || c->requests == 0) continue;
      sum.requests += c->requests;
      sum.total += a.judged.is_shared ? c->wavefronts : c->sectors;
      if (c->full_requests == 0) continue;
      const std::uint32_t least = a.judged.is_shared ? c->full_wavefronts_min : c->full_sectors_min;
      sum.least = sum.least == 0 ? least : std::min(sum.least, least);
      sum.most = std::max(sum.most, a.judged.is_shared ? c->full_wavefronts_max : c->full_sectors_max);
    }
    a.measured = sum;
  }
  ran = {};
  for (const emulator::line_counters& l : emulator::summarize(own).lines) {
    ran += detail::figures_of(l);
    for (explained_line& line : lines)
      if (line.is_used && line.where.line == l.line && line.where.file == l.file) line.measured = l;
  }
  const double total = cycles().total();
  for (explained_line& line : lines) {
    const cost_figures own_figures = line.measured ? detail::figures_of(*line.measured) : cost_figures{};
    line.share = total == 0 ? 0 : busy_cycles(own_figures, matrix_type, device).total() / total;
  }
  return *this;
}

}  // namespace tg
