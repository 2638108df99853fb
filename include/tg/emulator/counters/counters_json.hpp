// Counters as JSON: totals, memory spaces, source lines, instructions.
#pragma once

#include <string>

#include <tg/base/number_text.hpp>
#include <tg/emulator/counters/counters_summary.hpp>
#include <tg/emulator/launch/json.hpp>

namespace tg::emulator {

namespace detail {

inline std::string to_json(const line_counters& l) {
  check::detail::json_object out;
  out.text("function", l.function).text("file", l.file).number("line", l.line).number("executions", l.executions);
  out.number("active_lanes", l.active_lanes).number("divergent", l.divergent).number("requests", l.requests);
  out.number("bytes", l.bytes).number("sectors", l.sectors).number("wavefronts", l.wavefronts);
  out.raw("sectors_per_request", fixed_text(l.sectors_per_request(), 6));
  out.raw("wavefronts_per_request", fixed_text(l.wavefronts_per_request(), 6));
  return out.number("flops", l.flops).number("multiply_adds", l.multiply_adds).number("barriers", l.barriers).str();
}

inline std::string to_json(const instruction_counters& c) {
  check::detail::json_object out;
  out.text("function", c.function).number("index", c.index).number("ptx_line", c.ptx_line).text("file", c.file);
  out.number("line", c.line).text("opcode", ptx::name(c.op)).text("type", ptx::name(c.type));
  out.number("executions", c.executions).number("active_lanes", c.active_lanes).number("divergent", c.divergent);
  if (c.requests != 0) {
    out.text("space", ptx::name(c.space)).number("requests", c.requests).number("full_requests", c.full_requests);
    out.number("bytes", c.bytes).number("sectors", c.sectors).number("lines", c.lines).number("wavefronts", c.wavefronts);
  }
  if (c.copied_bytes != 0) out.number("copied_bytes", c.copied_bytes);
  if (c.multiply_adds != 0) out.text("matrix_type", ptx::name(c.matrix_type)).number("multiply_adds", c.multiply_adds);
  return out.number("flops", c.flops).str();
}

template <class List, class Keep> std::string json_list(const List& all, Keep keep) {
  std::string out = "[";
  for (const auto& one : all)
    if (keep(one)) out += (out.size() == 1 ? "\n    " : ",\n    ") + to_json(one);
  return out + "]";
}

}  // namespace detail

/// Instructions that did not run are left out.
inline std::string to_json(const counters& all) {
  const counters_summary sum = summarize(all);
  check::detail::json_object out, flops, matrix, spaces;
  flops.number("f16", all.flops_f16).number("f32", all.flops_f32).number("f64", all.flops_f64);
  for (const auto& [type, count] : all.multiply_adds) matrix.number(ptx::name(type), count);
  for (const auto& [space, c] : sum.spaces) {
    check::detail::json_object one;
    one.number("requests", c.requests).number("bytes", c.bytes).number("sectors", c.sectors);
    spaces.raw(ptx::name(space), one.number("wavefronts", c.wavefronts).str());
  }
  out.number("warp_instructions", all.warp_instructions).number("thread_instructions", all.thread_instructions);
  out.number("barriers", all.barriers).raw("flops", flops.str()).raw("multiply_adds", matrix.str());
  out.number("global_bytes", sum.global_bytes).raw("arithmetic_intensity", fixed_text(sum.arithmetic_intensity, 6));
  out.raw("spaces", spaces.str()).raw("lines", detail::json_list(sum.lines, [](const auto&) { return true; }));
  return out.raw("instructions", detail::json_list(all.instructions, [](const auto& c) { return c.executions != 0; })).str();
}

}  // namespace tg::emulator
