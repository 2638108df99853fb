// Counters as a table that people read.
#pragma once

#include <string>

#include <tg/base/number_text.hpp>
#include <tg/emulator/counters/counters_summary.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::emulator {

namespace detail {

inline std::string fixed(double value, std::size_t width, int digits) {
  const std::string text = fixed_text(value, digits);
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

inline std::string right(std::uint64_t value, std::size_t width) {
  const std::string text = value == 0 ? "-" : std::to_string(value);
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

inline std::string average(double value, std::size_t width) { return value == 0 ? right(0, width) : fixed(value, width, 2); }

}  // namespace detail

/// Totals, then one row per source line that ran: `lanes` are those active per execution, `sect/req` sectors of 32
/// bytes per request to global memory, `wave/req` wavefronts per request to shared memory.
inline std::string to_text(const counters& all) {
  using detail::right;
  const counters_summary sum = summarize(all);
  std::string out = std::to_string(all.warp_instructions) + " warp instructions, " + std::to_string(all.thread_instructions) +
                    " thread instructions, " + std::to_string(all.barriers) + " barriers\n";
  const std::pair<const char*, std::uint64_t> kinds[] = {
      {"f16", all.flops_f16}, {"f32", all.flops_f32}, {"f64", all.flops_f64}};
  for (const auto& [type, count] : kinds)
    if (count != 0) out += "flops " + std::string(type) + ": " + std::to_string(count) + "\n";
  for (const auto& [type, count] : all.multiply_adds)
    out += "matrix multiply-adds " + std::string(ptx::name(type)) + ": " + std::to_string(count) + "\n";
  for (const auto& [space, c] : sum.spaces)
    out += std::string(ptx::name(space)) + " memory: " + std::to_string(c.requests) + " requests, " + std::to_string(c.bytes) +
           " bytes" + (c.sectors != 0 ? ", " + std::to_string(c.sectors) + " sectors" : "") +
           (c.wavefronts != 0 ? ", " + std::to_string(c.wavefronts) + " wavefronts" : "") + "\n";
  if (all.memory_read_bytes + all.memory_written_bytes != 0)
    out += "behind the cache: " + std::to_string(all.memory_read_bytes) + " bytes read, " +
           std::to_string(all.memory_written_bytes) + " bytes written; " + std::to_string(all.memory_least_bytes) +
           " bytes in all if it lost nothing\n";
  if (sum.global_bytes != 0)
    out += "arithmetic intensity: " + detail::fixed(sum.arithmetic_intensity, 0, 3) + " flops per byte\n";
  out += "  executions  lanes  divergent     bytes   sectors sect/req wavefronts wave/req     flops      mads  line\n";
  for (const line_counters& l : sum.lines) {
    out += right(l.executions, 12) + detail::fixed(l.lanes_per_execution(), 7, 1) + right(l.divergent, 11) +
           right(l.bytes, 10) + right(l.sectors, 10) + detail::average(l.sectors_per_request(), 9) + right(l.wavefronts, 11) +
           detail::average(l.wavefronts_per_request(), 9) + right(l.flops, 10) + right(l.multiply_adds, 10) + "  ";
    out += l.file.empty() ? l.function + ", PTX line " : l.file + ":";
    out += std::to_string(l.line) + (l.barriers != 0 ? ", barrier" : "") + "\n";
  }
  return out;
}

}  // namespace tg::emulator
