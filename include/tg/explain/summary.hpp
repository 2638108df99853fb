// The explanation in plain words: what limits the kernel, its dearest lines, what was proved, and what to do.
#pragma once

#include <algorithm>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/explain/explanation.hpp>
#include <tg/explain/number.hpp>

namespace tg::report {

/// A line that keeps the machine busy.
struct dear_line { std::string share, place, code; };

/// Sentences for the top of a report.
struct summary {
  std::string limit;
  dynamic_array<dear_line> dearest;  ///< three at most
  std::string verdicts;
  dynamic_array<std::string> advice;
};

/// What keeps more blocks out, in words.
inline const char* name(analysis::limiter l) {
  constexpr const char* names[] = {"its threads",       "the number of blocks", "its registers",
                                   "its shared memory", "its named barriers",   "nothing: not one block fits"};
  return names[static_cast<int>(l)];
}

/// "4 sectors, 5 at the worst base, ideal 4"; where warps differ, "8 sectors, ideal 4 in the worst warp, 24 in all of a
/// block".
inline std::string cost_text(const explained_access& a) {
  if (a.judged.verdict == verdict::gather)
    return "depends on data: " + std::to_string(a.least_of_data()) + " to " +
           count(static_cast<std::uint64_t>(explained_access::most_of_data()), a.judged.is_shared ? "wavefront" : "sector");
  const std::string rest =
      a.block_total == 0 ? "" : " in the worst warp, " + std::to_string(a.block_total) + " in all of a block";
  const auto& global = a.judged.global;
  const auto& shared = a.judged.shared;
  if (a.judged.is_shared)
    return count(static_cast<std::uint64_t>(shared.wavefronts), "wavefront") + ", ideal " +
           std::to_string(shared.ideal_wavefronts) + rest;
  return count(static_cast<std::uint64_t>(global.sectors_best), "sector") +
         (global.sectors != global.sectors_best ? ", " + std::to_string(global.sectors) + " at the worst base" : "") +
         ", ideal " + std::to_string(global.ideal_sectors) + rest;
}

namespace detail {

/// What gathered accesses that were not counted add; empty where there are none.
inline std::string data_text(const explanation& e) {
  if (e.counted || e.cost.uncounted_accesses == 0) return "";
  std::string out = " Data decide what " + count(e.cost.uncounted_accesses, "gathered instruction") +
                    (e.cost.uncounted_accesses == 1 ? " costs" : " cost") + ": the kernel takes";
  const auto range = [](std::uint64_t most, std::uint64_t less, const char* what) {
    return " " + grouped(most - less) + " to " + grouped(most) + " " + what;
  };
  if (e.cost.data_wavefronts != 0) out += range(e.cost.wavefronts, e.cost.data_wavefronts, "wavefronts");
  if (e.cost.data_wavefronts != 0 && e.cost.data_sectors != 0) out += " and";
  if (e.cost.data_sectors != 0) out += range(e.cost.sectors_best + e.cost.data_sectors, e.cost.data_sectors, "sectors");
  return out + ".";
}

inline std::string limit_text(const explanation& e) {
  const unit_cycles cycles = e.cycles();
  const double total = cycles.total();
  if (total == 0) return "The kernel does nothing.";
  const machine_unit busiest = cycles.busiest();
  const std::string intensity = rounded(e.intensity()), ridge = rounded(e.roof.ridge());
  const std::string by_data = data_text(e);
  if (const machine_unit other = e.least_cycles().busiest(); other != busiest)
    return "Data decide which unit is the busiest: " + std::string(name(other)) + " at best, " + name(busiest) + " at worst." +
           by_data;
  std::string out = "The busiest unit: " + std::string(name(busiest)) + ", " + (by_data.empty() ? "" : "up to ") +
                    percent(cycles[busiest] / total) + " of the cycles in which units are busy. ";
  switch (busiest) {
    case machine_unit::global_memory:
      if (e.cost.sectors_best > e.cost.ideal_sectors)
        out += "It moves " + grouped(e.cost.sectors_best) + " sectors where its bytes fill " + grouped(e.cost.ideal_sectors) +
               ". ";
      out += e.cost.all_flops() == 0 ? "It moves bytes and does no floating-point work: bandwidth is its speed."
                                     : "It does " + intensity + " operations per byte, and the " + std::string(e.device.name) +
                                           " needs " + ridge + " before arithmetic (" + e.roof_name + ") binds.";
      break;
    case machine_unit::shared_memory:
      out += !by_data.empty() ? "Data decide how many lanes meet in a bank."
             : e.cost.wavefronts > e.cost.ideal_wavefronts
                 ? "It takes " + grouped(e.cost.wavefronts) + " wavefronts where " + grouped(e.cost.ideal_wavefronts) +
                       " would do."
                 : "Its accesses have no conflicts: only fewer or wider ones make it faster.";
      break;
    case machine_unit::issue:
      out += "Fewer instructions per element make it faster: wider accesses, more work per thread.";
      break;
    case machine_unit::tensor_core: out += "That is what they are for."; break;
  }
  out += by_data;
  if (!e.cost.uncounted_loops.empty() && !e.counted) out += " Loops whose length is known only at run time count as one turn.";
  return out;
}

inline std::string verdict_text(const explanation& e) {
  std::uint64_t all = 0, gathered = 0;
  for (const explained_access& a : e.accesses) {
    all += a.instructions.size();
    if (a.judged.verdict == verdict::gather) gathered += a.instructions.size();
  }
  const std::uint64_t bad = e.bad_accesses();
  return std::to_string(all - bad - gathered) + " of " + std::to_string(all) + " memory accesses are proved good, " +
         std::to_string(bad) + " are excused, " + std::to_string(gathered) +
         " depend on data. Races, barriers, extents: " + std::to_string(e.count(answer::proved)) + " proved, " +
         std::to_string(e.count(answer::refuted)) + " refuted, " + std::to_string(e.count(answer::unknown)) + " unknown.";
}

inline dynamic_array<std::string> advice_of(const explanation& e) {
  dynamic_array<std::string> out;
  for (const finding& f : e.findings)
    if (f.answer == answer::refuted) out.push_back(finding::place(f.where) + ": " + f.fact + "; " + f.fix + ".");
  for (const explained_access& a : e.accesses) {
    if (!a.is_bad()) continue;
    std::string advice = finding::place(a.judged.where) + ": the " + a.kind + " costs " + cost_text(a) + "; " + a.fix + ".";
    if (std::find(out.begin(), out.end(), advice) == out.end()) out.push_back(std::move(advice));
  }
  for (const explained_access& a : e.accesses) {
    if (a.judged.verdict != verdict::gather) continue;
    const bool is_alone =
        a.measured && a.measured->total <= a.measured->requests * static_cast<std::uint64_t>(a.least_of_data());
    if (!a.is_open() && is_alone) continue;
    const std::string what = finding::place(a.judged.where) + ": the " + a.kind + " ";
    std::string advice = a.is_open() ? what + cost_text(a) + " for each warp; count it on the emulator."
                                     : what + "took " + grouped(a.measured->total) +
                                           (a.judged.is_shared ? " wavefronts in " : " sectors in ") +
                                           grouped(a.measured->requests) + " requests: data decide where its lanes go.";
    if (std::find(out.begin(), out.end(), advice) == out.end()) out.push_back(std::move(advice));
  }
  for (const source_location& b : e.redundant_barriers)
    out.push_back(finding::place(b) + ": the barrier separates nothing; remove it.");
  if (e.spills)
    out.push_back("More registers are needed than the " + std::to_string(e.register_bound) +
                  " that there are: values will be spilled to local memory. Shorten their lives or raise the bound.");
  const auto& o = e.occupancy;
  if (o.blocks == 0) out.push_back("Not one block fits a multiprocessor of this GPU.");
  else if (o.fraction() < 0.5)
    out.push_back("Only " + std::to_string(o.warps) + " of " + std::to_string(o.max_warps) +
                  " warps are resident; what keeps others out is " + name(o.limiter) + ".");
  if (out.empty())
    out.push_back(e.cycles().busiest() == machine_unit::global_memory
                      ? "Nothing is wasted. Fewer bytes make it faster: smaller types, or work fused with its neighbours."
                      : "Nothing is wasted.");
  return out;
}

}  // namespace detail

/// A question that was not proved; `times`: how many accesses or barriers have this answer and this text.
struct open_question {
  tg::answer answer;
  std::string text;
  std::size_t times;
};

/// What was not proved, equal texts once, in the order of the kernel.
inline dynamic_array<open_question> open_questions(const explanation& e) {
  dynamic_array<open_question> out;
  for (const finding& f : e.findings) {
    if (f.answer == answer::proved) continue;
    std::string text = f.text();
    const auto same =
        std::find_if(out.begin(), out.end(), [&](const open_question& q) { return q.answer == f.answer && q.text == text; });
    if (same != out.end()) ++same->times;
    else out.push_back({f.answer, std::move(text), 1});
  }
  return out;
}

/// " (16 times)"; empty for one.
inline std::string times_text(const open_question& q) { return q.times == 1 ? "" : " (" + grouped(q.times) + " times)"; }

/// The sentences of an explanation.
inline summary summarize(const explanation& e) {
  summary out{detail::limit_text(e), {}, detail::verdict_text(e), detail::advice_of(e)};
  for (const explained_line* l : e.dearest_lines()) {
    if (out.dearest.size() == 3 || (l->share < 0.01 && !out.dearest.empty())) break;
    const std::size_t begin = std::min(l->text.find_first_not_of(" \t"), l->text.size());
    out.dearest.push_back({percent(l->share), place(l->where.file, l->where.line), l->text.substr(begin)});
  }
  return out;
}

}  // namespace tg::report
