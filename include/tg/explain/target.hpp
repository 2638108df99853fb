// The GPU that a kernel is explained for, by its name or architecture.
#pragma once

#include <string>
#include <string_view>

#include <tg/analysis/device_table.hpp>
#include <tg/base/error.hpp>

namespace tg {

/// `find_target("H100")`, or `find_target("sm_90")`: the first GPU of that architecture in the device table.
/// Errors: TG174 for a name that is in no row, with the names that are.
inline const analysis::device_figures& find_target(std::string_view name, source_location where = source_location::current()) {
  if (const auto* const found = analysis::find_device(name)) return *found;
  std::string known;
  for (const analysis::device_figures& d : analysis::device_table) {
    const std::string sm = "sm_" + std::to_string(d.sm);
    if (name == sm) return d;
    known += (known.empty() ? "" : ", ") + std::string(d.name) + " (" + sm + ")";
  }
  throw error(code{174}, "no GPU is called '" + std::string(name) + "'", "take one of " + known, where);
}

}  // namespace tg
