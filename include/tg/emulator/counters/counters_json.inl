// Counters as JSON, made with nlohmann's library.
#pragma once

#include <tg/emulator/counters/counters_json.hpp>

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include <tg/base/config.hpp>
#include <tg/emulator/counters/counters_summary.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::emulator {

namespace detail {

inline nlohmann::ordered_json object_of(const line_counters& l) {
  return {{"function", l.function},
          {"file", l.file},
          {"line", l.line},
          {"executions", l.executions},
          {"active_lanes", l.active_lanes},
          {"divergent", l.divergent},
          {"requests", l.requests},
          {"bytes", l.bytes},
          {"sectors", l.sectors},
          {"wavefronts", l.wavefronts},
          {"sectors_per_request", l.sectors_per_request()},
          {"wavefronts_per_request", l.wavefronts_per_request()},
          {"flops", l.flops},
          {"multiply_adds", l.multiply_adds},
          {"barriers", l.barriers}};
}

inline nlohmann::ordered_json object_of(const instruction_counters& c) {
  nlohmann::ordered_json out{{"function", c.function},
                             {"index", c.index},
                             {"ptx_line", c.ptx_line},
                             {"file", c.file},
                             {"line", c.line},
                             {"opcode", ptx::name(c.op)},
                             {"type", ptx::name(c.type)},
                             {"executions", c.executions},
                             {"active_lanes", c.active_lanes},
                             {"divergent", c.divergent}};
  if (c.requests != 0) {
    out["space"] = ptx::name(c.space);
    out["requests"] = c.requests, out["full_requests"] = c.full_requests;
    out["bytes"] = c.bytes, out["sectors"] = c.sectors, out["lines"] = c.lines, out["wavefronts"] = c.wavefronts;
  }
  if (c.copied_bytes != 0) out["copied_bytes"] = c.copied_bytes;
  if (c.multiply_adds != 0) out["matrix_type"] = ptx::name(c.matrix_type), out["multiply_adds"] = c.multiply_adds;
  out["flops"] = c.flops;
  return out;
}

inline nlohmann::ordered_json object_of(const counters& all) {
  using json = nlohmann::ordered_json;
  const counters_summary sum = summarize(all);
  json multiply_adds = json::object(), spaces = json::object(), lines = json::array(), instructions = json::array();
  for (const auto& [type, count] : all.multiply_adds) multiply_adds[std::string(ptx::name(type))] = count;
  for (const auto& [space, c] : sum.spaces)
    spaces[std::string(ptx::name(space))] = {
        {"requests", c.requests}, {"bytes", c.bytes}, {"sectors", c.sectors}, {"wavefronts", c.wavefronts}};
  for (const line_counters& l : sum.lines) lines.push_back(detail::object_of(l));
  for (const instruction_counters& c : all.instructions)
    if (c.executions != 0) instructions.push_back(detail::object_of(c));
  return {{"warp_instructions", all.warp_instructions},
          {"thread_instructions", all.thread_instructions},
          {"barriers", all.barriers},
          {"memory_read_bytes", all.memory_read_bytes},
          {"memory_written_bytes", all.memory_written_bytes},
          {"memory_least_bytes", all.memory_least_bytes},
          {"flops", {{"f16", all.flops_f16}, {"f32", all.flops_f32}, {"f64", all.flops_f64}}},
          {"multiply_adds", multiply_adds},
          {"global_bytes", sum.global_bytes},
          {"arithmetic_intensity", sum.arithmetic_intensity},
          {"spaces", spaces},
          {"lines", lines},
          {"instructions", instructions}};
}

/// Names from PTX may not be UTF-8.
inline std::string text_of(const nlohmann::ordered_json& j) {
  return j.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace detail

TG_LIBRARY_FUNCTION std::string to_json(const counters& all) { return detail::text_of(detail::object_of(all)); }

TG_LIBRARY_FUNCTION std::string to_json(std::span<const kernel_counters> kernels) {
  auto out = nlohmann::ordered_json::array();
  for (const kernel_counters& k : kernels)
    out.push_back({{"kernel", k.name}, {"launches", k.launches}, {"counters", detail::object_of(k.sum)}});
  return detail::text_of(out) + "\n";
}

}  // namespace tg::emulator
