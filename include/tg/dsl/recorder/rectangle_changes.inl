// The changes that a tape keeps.
#pragma once

#include <tg/dsl/recorder/rectangle_changes.hpp>

#include <algorithm>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION rectangle_change& changes_at(std::uint32_t view) {
  auto& all = tracer::current().recorded().rectangle_changes;
  const auto found = std::find_if(all.begin(), all.end(), [&](const rectangle_change& c) { return c.view == view; });
  return found != all.end() ? *found : all.emplace_back(rectangle_change{.view = view});
}

}  // namespace tg::detail
