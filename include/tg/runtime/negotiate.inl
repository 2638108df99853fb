// A lower version or target for a kernel's PTX, or the instruction that does not let it have one.
#pragma once

#include <tg/runtime/negotiate.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/driver/codes.hpp>
#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/runtime/demand.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION kernel_source negotiate(const context& device, std::string_view kernel, const kernel_source& source,
                                            source_location where, int target) {
  const int cc = target != 0 ? target : device.limits().compute_capability;
  const supply has{newest_ptx(device.limits().driver_version), cc};
  const bool is_read = has.covers(source.version);
  const bool is_run = is_ptx_for(source.sm, source.target_suffix, cc);
  if (is_read && is_run) return source;

  const std::string driver_facts = "the driver of '" + device.name() + "' reads up to " + text_of(has.newest);
  const std::string device_facts = (target != 0 ? "the target" : "'" + device.name() + "'") + " is sm_" + std::to_string(cc);
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
  } catch (const error&) { throw unread(); }
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
  return {ptx::print(m), m.version, m.sm, source.make_us, m.target_suffix.empty() ? '\0' : m.target_suffix[0], source.code};
}

}  // namespace tg::runtime
