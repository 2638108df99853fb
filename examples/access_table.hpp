// What the compiler said of each memory access of a kernel, beside what the emulator counted.
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/tg.hpp>

namespace examples {

/// Prints the accesses in the order of the PTX, one line each; neighbours that are alike share a line. Lanes that are
/// clamped to the edge of a picture may cost less than compiled.
/// Requires: the counters of launches of this kernel alone.
void print_accesses(const tg::lowered_kernel& kernel, const tg::emulator::counters& counted);

namespace detail {

inline std::string from_to(long least, long most, const char* unit) {
  const std::string number = least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  return number + " " + unit + (most == 1 ? "" : "s");
}

inline const char* word_of(tg::verdict v) {
  switch (v) {
    case tg::verdict::proved: return "proved";
    case tg::verdict::allowed: return "excused";
    case tg::verdict::traced: return "proved late";
    case tg::verdict::gather: return "gathered";
  }
  return "";
}

inline std::string compiled_cost(const tg::access& a) {
  if (a.verdict == tg::verdict::gather) return "depends on data";
  return a.is_shared
             ? from_to(a.shared.wavefronts, a.shared.wavefronts, "wavefront") + ", ideal " +
                   std::to_string(a.shared.ideal_wavefronts)
             : from_to(a.global.sectors_best, a.global.sectors, "sector") + ", ideal " + std::to_string(a.global.ideal_sectors);
}

inline std::string counted_cost(const tg::access& a, const tg::emulator::instruction_counters& c) {
  if (c.full_requests == 0) return "no full warp";
  return a.is_shared ? from_to(c.full_wavefronts_min, c.full_wavefronts_max, "wavefront")
                     : from_to(c.full_sectors_min, c.full_sectors_max, "sector");
}

}  // namespace detail

inline void print_accesses(const tg::lowered_kernel& kernel, const tg::emulator::counters& counted) {
  std::vector<std::pair<std::string, int>> lines;
  for (const auto& c : counted.instructions) {
    const auto number = kernel.module.functions.front().body.at(c.index).access;
    if (number >= kernel.accesses.size()) continue;
    const tg::access& a = kernel.accesses[number];
    const auto where = std::filesystem::path(a.where.file).filename().string() + ":" + std::to_string(a.where.line);
    char line[160];
    std::snprintf(line, sizeof line, "  %-17s %-5s %-6s  %2d  %-11s %-24s %s", where.c_str(), a.is_write ? "store" : "load",
                  a.is_shared ? "shared" : "global", a.access_bytes, detail::word_of(a.verdict),
                  detail::compiled_cost(a).c_str(), detail::counted_cost(a, c).c_str());
    if (lines.empty() || lines.back().first != line) lines.emplace_back(line, 0);
    ++lines.back().second;
  }
  std::printf("  %-17s %-12s  %2s  %-36s %s\n", "line", "access", "B", "compiled: the worst warp", "counted: full warps");
  for (const auto& [line, times] : lines)
    std::printf("%s%s\n", line.c_str(), times == 1 ? "" : (", " + std::to_string(times) + " times").c_str());
}

}  // namespace examples
