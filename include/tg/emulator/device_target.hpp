// The GPU that the emulator stands for, and which PTX runs on it.
#pragma once

#include <string>

#include <tg/base/error.hpp>
#include <tg/ptx/gpu_target.hpp>
#include <tg/ptx/module.hpp>

namespace tg::emulator {

/// The emulated device has compute capability 9.0.
inline constexpr int device_sm = 90;

/// Whether PTX for `sm_<sm><suffix>` runs on the device: that of older GPUs does, that with a suffix on its own GPU only.
/// Source: PTX ISA 9.0, 11.1.2, .target.
constexpr bool runs_on_device(int sm, char suffix) { return suffix == '\0' ? sm <= device_sm : suffix == 'a' && sm == device_sm; }

/// Refuses what NVIDIA's driver of such a device refuses.
/// Errors: TG471 a target that is unknown or not the device's, or too new for the text's version; TG472 a version of the
/// language that is not known.
inline void require_target(const ptx::module& m) {
  const std::string version = std::to_string(m.version.major) + "." + std::to_string(m.version.minor);
  const std::string name = "sm_" + std::to_string(m.sm) + m.target_suffix;
  if (!ptx::is_isa_version(m.version))
    throw error(code{472}, "PTX of version " + version + "; the newest that is known is " +
                    std::to_string(ptx::newest_isa.major) + "." + std::to_string(ptx::newest_isa.minor),
                "compile for an older version of PTX, as an older toolkit does");
  const char suffix = m.target_suffix.empty() ? '\0' : m.target_suffix[0];
  const ptx::gpu_target* const target = ptx::find_gpu_target(m.sm, suffix);
  if (target == nullptr) throw error(code{471}, "there is no GPU '" + name + "'", "compile for sm_" + std::to_string(device_sm) + " or older");
  if (!runs_on_device(m.sm, suffix))
    throw error(code{471}, "PTX for " + name + " does not run on the emulated device, an sm_" + std::to_string(device_sm) + " GPU",
                "compile for sm_" + std::to_string(device_sm) + " or older");
  if (m.version.major * 10 + m.version.minor < target->isa)
    throw error(code{471}, "PTX of version " + version + " has no target " + name,
                "raise .version to " + std::to_string(target->isa / 10) + "." + std::to_string(target->isa % 10));
}

}  // namespace tg::emulator
