// Counters added up: per source line, per memory space, in all.
#pragma once

#include <map>
#include <tuple>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::emulator {

/// Sums over the instructions of one C++ line, or of one PTX line where no C++ line is known.
struct line_counters {
  std::string function;  // that the first of them stands in
  std::string file;      // empty: `line` is one of the PTX text
  std::uint32_t line = 0;
  std::uint64_t executions = 0, active_lanes = 0, divergent = 0;
  std::uint64_t requests = 0, bytes = 0;
  std::uint64_t global_requests = 0, sectors = 0;
  std::uint64_t shared_requests = 0, wavefronts = 0;
  std::uint64_t flops = 0, multiply_adds = 0;
  std::uint64_t barriers = 0;  // executions of bar and barrier

  double sectors_per_request() const { return ratio(sectors, global_requests); }
  double wavefronts_per_request() const { return ratio(wavefronts, shared_requests); }
  double lanes_per_execution() const { return ratio(active_lanes, executions); }

 private:
  static double ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }
};

/// Traffic of one memory space.
struct space_counters {
  std::uint64_t requests = 0, bytes = 0, sectors = 0, wavefronts = 0;

  space_counters& operator+=(const space_counters& other) {
    requests += other.requests, bytes += other.bytes, sectors += other.sectors, wavefronts += other.wavefronts;
    return *this;
  }
};

struct counters_summary {
  dynamic_array<line_counters> lines;  // that ran, in program order
  std::map<ptx::token, space_counters> spaces;
  std::uint64_t flops = 0;          // a multiply-add of matrices in floating point counts two
  std::uint64_t global_bytes = 0;   // whole sectors
  double arithmetic_intensity = 0;  // flops per byte of global memory; 0 where none was touched
};

namespace detail {

inline bool is_floating_matrix(ptx::token t) {
  using enum ptx::token;
  return t != s8 && t != u8 && t != s4 && t != u4 && t != b1;
}

inline void add(line_counters& to, const instruction_counters& c) {
  to.executions += c.executions;
  to.active_lanes += c.active_lanes;
  to.divergent += c.divergent;
  to.requests += c.requests;
  to.bytes += c.bytes;
  if (c.space == ptx::token::global || c.space == ptx::token::const_) to.global_requests += c.requests;
  if (c.space == ptx::token::shared || c.copied_bytes != 0) to.shared_requests += c.requests;
  to.sectors += c.sectors;
  to.wavefronts += c.wavefronts;
  to.flops += c.flops;
  to.multiply_adds += c.multiply_adds;
  if (ptx::has_trait(c.op, ptx::trait::meets_block)) to.barriers += c.executions;
}

}  // namespace detail

/// Units: a sector is 32 bytes.
inline counters_summary summarize(const counters& all) {
  counters_summary out;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::size_t> rows;
  for (const instruction_counters& c : all.instructions) {
    if (c.executions == 0) continue;
    const bool has_line = c.line != 0;
    const std::uint32_t line = has_line ? c.line : c.ptx_line != 0 ? c.ptx_line : c.index;
    const auto [row, is_new] = rows.try_emplace({has_line ? "" : c.function, c.file, line}, out.lines.size());
    if (is_new) {
      out.lines.emplace_back();
      out.lines.back().function = c.function;
      out.lines.back().file = c.file;
      out.lines.back().line = line;
    }
    detail::add(out.lines[row->second], c);
    if (c.requests == 0) continue;
    out.spaces[c.space] += {c.requests, c.bytes, c.sectors, c.copied_bytes != 0 ? 0 : c.wavefronts};
    if (c.copied_bytes != 0) out.spaces[ptx::token::shared] += {c.requests, c.copied_bytes, 0, c.wavefronts};
  }
  out.flops = all.flops_f16 + all.flops_f32 + all.flops_f64;
  for (const auto& [type, count] : all.multiply_adds)
    if (detail::is_floating_matrix(type)) out.flops += 2 * count;
  for (const auto& [space, traffic] : out.spaces) out.global_bytes += 32 * traffic.sectors;
  if (out.global_bytes != 0) out.arithmetic_intensity = static_cast<double>(out.flops) / static_cast<double>(out.global_bytes);
  return out;
}

}  // namespace tg::emulator
