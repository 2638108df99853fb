// Which instruction of a kernel asks for more than driver or device have.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <tg/ptx/gpu_target.hpp>
#include <tg/ptx/opcode.hpp>
#include <tg/ptx/parse.hpp>
#include <tg/ptx/print.hpp>
#include <tg/ptx/requirements.hpp>
#include <tg/runtime/negotiate.hpp>

namespace tg::runtime {

/// What a kernel may ask for.
struct supply {
  ptx::isa_version newest;
  int compute_capability;

  bool covers(ptx::isa_version version) const { return version <= newest; }
  bool covers(const ptx::requirement& r) const {
    return covers(ptx::isa_version{r.isa / 10, r.isa % 10}) && is_ptx_for(r.sm, r.target_suffix, compute_capability);
  }
};

/// An instruction that needs what is not there, or what a whole kernel's directives need.
struct demand {
  ptx::requirement need;
  std::string what;  // as PTX has it
  std::string file;
  int line = 0;
  std::uint32_t ptx_line = 0;
};

inline std::string text_of(ptx::isa_version v) { return std::to_string(v.major) + "." + std::to_string(v.minor); }

/// The first demand in a PTX text that is not covered; none when all are.
inline std::optional<demand> first_demand(const ptx::module& m, const ptx::line_map& lines, const supply& has) {
  for (std::size_t f = 0; f < m.functions.size(); ++f)
    for (std::size_t i = 0; i < m.functions[f].body.size(); ++i) {
      const ptx::instruction& at = m.functions[f].body[i];
      const ptx::requirement need = ptx::requirement_of(at);
      if (has.covers(need)) continue;
      std::string what(ptx::name(at.op));
      for (const ptx::token t : at.tokens()) what.append(1, '.').append(ptx::name(t));
      return demand{need, std::move(what), m.files[at.where.file], static_cast<int>(at.where.line), lines[f][i]};
    }
  if (const ptx::requirement all = ptx::requirements_of(m).least; !has.covers(all))
    return demand{all, "its cluster directives", "", 0, 0};
  return std::nullopt;
}

inline kernel_source negotiate(const context& device, std::string_view kernel, const kernel_source& source,
                               source_location where, int target) {
  const int cc = target != 0 ? target : device.limits().compute_capability;
  const supply has{newest_ptx(device.limits().driver_version), cc};
  const bool is_read = has.covers(source.version);
  const bool is_run = is_ptx_for(source.sm, source.target_suffix, cc);
  if (is_read && is_run) return source;

  const std::string driver_facts = "the driver of '" + device.name() + "' reads up to " + text_of(has.newest);
  const std::string device_facts =
      (target != 0 ? "the target" : "'" + device.name() + "'") + " is sm_" + std::to_string(cc);
  const auto facts = [&](ptx::isa_version version, int sm, char suffix) {
    if (!has.covers(version)) return "PTX " + text_of(version) + ", " + driver_facts;
    const std::string target = "sm_" + std::to_string(sm) + (suffix == '\0' ? std::string() : std::string(1, suffix));
    return target + ", " + device_facts;
  };
  std::string message = "kernel '" + std::string(kernel) + "' needs ";
  const auto unread = [&] {  // not ours to read: its own word counts
    return error(driver::driver_too_old, message + facts(source.version, source.sm, source.target_suffix),
                 driver::fix_of(driver::driver_too_old), where);
  };
  if (!ptx::is_isa_version(source.version)) throw unread();
  ptx::module m;
  std::optional<demand> asks;
  try {
    ptx::line_map lines;
    m = ptx::parse(source.ptx, lines);
    asks = first_demand(m, lines, has);
  } catch (const error&) {
    throw unread();
  }
  if (asks) {
    const ptx::requirement& need = asks->need;
    message += facts({need.isa / 10, need.isa % 10}, need.sm, need.target_suffix) + ": " + asks->what;
    if (asks->ptx_line != 0) message += " in line " + std::to_string(asks->ptx_line) + " of its PTX";
    if (asks->line > 0)
      throw error(driver::driver_too_old, message, driver::fix_of(driver::driver_too_old), asks->file, asks->line);
    throw error(driver::driver_too_old, message, driver::fix_of(driver::driver_too_old), where);
  }
  const ptx::requirement least = ptx::requirements_of(m).least;
  m.version = std::min(m.version, has.newest);
  if (!is_ptx_for(m.sm, m.target_suffix.empty() ? '\0' : m.target_suffix[0], cc)) {
    m.sm = least.sm;
    m.target_suffix.assign(least.target_suffix == '\0' ? 0 : 1, least.target_suffix);
  }
  return {ptx::print(m), m.version, m.sm, source.make_us, m.target_suffix.empty() ? '\0' : m.target_suffix[0],
          source.code};
}

}  // namespace tg::runtime
