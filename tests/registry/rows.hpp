// Tries a row of the registry: all its sizes, with fresh random operands.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include <registry/on_device.hpp>
#include <tg/runtime/telemetry.hpp>

#include "../random_seed.hpp"

namespace registry {

/// Tries a row: its kernel is right for all sizes, writes nothing else, and is loaded once.
inline constexpr auto try_row = [](const auto& row) {
  tg::device gpu;
  CAPTURE(row.name());
  const auto loaded = tg::telemetry_of(gpu).modules_loaded;
  for (const shape& s : row.sizes()) {
    device_trial trial(gpu, row.kernel, random_seed());
    row.launch(trial, s);
    INFO("m ", s.m, ", n ", s.n, ", k ", s.k, ", heads ", s.heads);
    CHECK(trial.worst() <= 1);
    CHECK(trial.overwritten() == 0);
  }
  CHECK(tg::telemetry_of(gpu).modules_loaded == loaded + 1);
};

}  // namespace registry
