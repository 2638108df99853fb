// Tries the rows of one header of the registry: all their sizes, with fresh random operands.
#pragma once

#include <doctest/doctest.h>

#include <string_view>

#include <registry/entry.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../random_seed.hpp"

namespace registry {

/// A kernel is right for all sizes, writes nothing else, and is loaded once.
inline void try_row(const entry& row) {
  tg::device gpu;
  CAPTURE(row.name);
  const auto loaded = tg::telemetry_of(gpu).modules_loaded;
  for (const shape& s : row.sizes()) {
    const outcome found = row.launch(gpu, s, random_seed());
    INFO("m ", s.m, ", n ", s.n, ", k ", s.k, ", heads ", s.heads);
    CHECK(found.worst <= 1);
    CHECK(found.overwritten == 0);
  }
  CHECK(tg::telemetry_of(gpu).modules_loaded == loaded + 1);
}

/// Tries the rows of registry/HEADER.hpp.
inline void try_rows(std::string_view header) {
  int tried = 0;
  for (const auto& row : entries())
    if (row->header == header) try_row(*row), ++tried;
  CHECK(tried > 0);
}

}  // namespace registry
