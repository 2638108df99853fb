// Which PTX a driver reads, and which PTX and machine code a device runs.
#pragma once

#include <tg/ptx/ir/isa_version.hpp>

namespace tg::runtime {

/// The newest PTX that a driver of this CUDA version reads. Source: PTX ISA 9.0, section 13, "Release Notes".
constexpr ptx::isa_version newest_ptx(int driver_version) {
  const int major = driver_version / 1000;
  const int minor = driver_version % 1000 / 10;
  if (major < 11) return {6, major < 10 ? 0 : 3 + minor};
  if (major == 11) return {7, minor};
  if (major == 12) return {8, minor < 6 ? minor : minor - 1};
  return {major - 4, minor};
}

/// Whether PTX for a target, `suffix` and all, can run on a device. Source: PTX ISA 9.0, section 11.1.2, ".target".
constexpr bool is_ptx_for(int sm, char suffix, int compute_capability) {
  if (suffix == 'a') return sm == compute_capability;
  return sm <= compute_capability && (suffix != 'f' || sm / 10 == compute_capability / 10);
}

/// Whether machine code for an architecture runs on a device.
/// Source: CUDA C++ Programming Guide 13.0, "Binary Compatibility".
constexpr bool is_code_for(int sm, int compute_capability) {
  return sm <= compute_capability && sm / 10 == compute_capability / 10;
}

}  // namespace tg::runtime
