// The version of the PTX language that a text is written in.
#pragma once

#include <compare>

namespace tg::ptx {

/// PTX ISA version, `.version 8.0`.
struct isa_version {
  int major = 6;
  int minor = 3;
  friend constexpr auto operator<=>(const isa_version&, const isa_version&) = default;
};

}  // namespace tg::ptx
