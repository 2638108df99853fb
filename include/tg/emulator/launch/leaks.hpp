// Allocations that nobody released.
#pragma once

#include <string_view>

#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator::check {

/// `whose` says whose end it outlived: "its context".
inline finding leak(std::uint64_t address, std::uint64_t bytes, std::string_view whose) {
  finding f;
  f.kind = checker::leak;
  f.code = code{419};
  f.what = "Leaked " + std::to_string(bytes) + " bytes at " + hex(address);
  f.detail = "an allocation of " + std::to_string(bytes) + " bytes at " + hex(address) + " was alive at the end of " +
             std::string(whose);
  f.fix = "release it";
  return f;
}

}  // namespace tg::emulator::check
