// The text of an explanation, section by section.
#pragma once

#include <tg/explain/to_text.hpp>

#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/base/config.hpp>
#include <tg/explain/access_card.hpp>
#include <tg/explain/summary.hpp>
#include <tg/explain/text_table.hpp>

namespace tg {

namespace report {

inline std::string text_of_lines(const explanation& e) {
  text_table out;
  dynamic_array<std::string> head{"busy", "instr", "sectors", "waves", "flops", "regs"};
  if (e.counted)
    for (const char* measured : {"ran", "sectors ran", "waves ran"}) head.push_back(measured);
  head.push_back("line");
  out.row(std::move(head));
  for (const explained_line& l : e.lines) {
    if (!l.is_used) continue;
    dynamic_array<std::string> row{percent(l.share),           grouped(l.cost.instructions), grouped(l.cost.sectors_best),
                                   grouped(l.cost.wavefronts), grouped(l.cost.flops),        std::to_string(l.registers)};
    if (e.counted) {
      const emulator::line_counters seen = l.measured.value_or(emulator::line_counters{});
      for (const std::uint64_t measured : {seen.executions, seen.sectors, seen.wavefronts}) row.push_back(grouped(measured));
    }
    const std::size_t begin = std::min(l.text.find_first_not_of(' '), l.text.size());
    row.push_back(place(l.where.file, l.where.line) + "  " + l.text.substr(begin, 80));
    out.row(std::move(row));
  }
  return out.str();
}

inline std::string text_of_accesses(const explanation& e) {
  std::string out;
  for (const explained_access& a : e.accesses) {
    out += "  " + place(a.judged.where.file, static_cast<std::uint32_t>(a.judged.where.line)) + "  " + a.kind +
           (a.object.empty() ? "" : (a.judged.is_write ? " to " : " of ") + a.object) + ", " +
           std::to_string(a.judged.access_bytes) + " bytes per lane" +
           (a.instructions.size() == 1 ? "" : ", " + std::to_string(a.instructions.size()) + " alike") + ": " +
           chip_of(a.judged.verdict).first + "; " + cost_text(a) + "\n";
    if (a.measured) out += "      " + measured_text(a) + "\n";
    if (!a.judged.reason.empty()) out += "      Excused: " + std::string(a.judged.reason) + ".\n";
    if (!a.fix.empty()) out += "      To mend it: " + a.fix + ".\n";
  }
  return out;
}

}  // namespace report

TG_LIBRARY_FUNCTION std::string to_text(const explanation& e) {
  using namespace report;
  const summary sum = report::summarize(e);
  const analysis::occupancy& o = e.occupancy;
  const std::uint32_t peak = e.registers.empty() ? 0 : e.registers[e.peak_instruction];
  std::string out = e.kernel + " on " + std::string(e.device.name) + " (sm_" + std::to_string(e.device.sm) + "), " +
                    count(e.cost.blocks, "block") + " of " + std::to_string(e.block.threads()) + " threads\n\n" + sum.limit +
                    "\n" + sum.verdicts + "\n\nWhat to do\n";
  for (const std::string& advice : sum.advice) out += "  " + advice + "\n";
  out += "\nLines\n" + text_of_lines(e) + "\nMemory accesses\n" + text_of_accesses(e);
  out += "\nRegisters: " + std::to_string(peak) + " hold a value at the dearest place, ptxas is expected to take " +
         std::to_string(e.expected_registers) + (e.spills ? "; some will be spilled" : "") + "\n";
  out += "Occupancy: " + count(static_cast<std::uint64_t>(o.blocks), "block") + ", " + std::to_string(o.warps) + " of " +
         std::to_string(o.max_warps) + " warps; limits: threads " + std::to_string(o.by_threads) + ", registers " +
         std::to_string(o.by_registers) + ", shared memory " + std::to_string(o.by_shared_memory) + ", blocks " +
         std::to_string(o.by_blocks) + "\n";
  out += "Roofline: " + rounded(e.intensity()) + " operations per byte; " + e.roof_name + " reaches " + rounded(e.roof.tflops) +
         " TFLOP/s from " + rounded(e.roof.ridge()) + " on, memory " + rounded(e.roof.gb_per_s) + " GB/s\n";
  for (const open_question& q : open_questions(e)) out += "Not proved: " + q.text + times_text(q) + "\n";
  return out;
}

}  // namespace tg
