// The GPU that the emulator stands for, and which PTX runs on it.
#pragma once

#include <string>

#include <tg/base/error.hpp>
#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/ir/gpu_target.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::emulator {

/// The emulated device has compute capability 9.0.
inline constexpr int device_sm = 90;

/// Whether PTX for `sm_<sm><suffix>` runs on the device: that of older GPUs does, that with a suffix on its own GPU only.
/// Source: PTX ISA 9.0, 11.1.2, .target.
constexpr bool runs_on_device(int sm, char suffix) {
  return suffix == '\0' ? sm <= device_sm : suffix == 'a' && sm == device_sm;
}

/// Refuses what NVIDIA's driver of such a device refuses.
/// Errors: TG471 a target that is unknown or not the device's, or too new for the text's version; TG472 a version of the
/// language that is not known.
inline void require_target(const ptx::module& m) {
  const std::string version = std::to_string(m.version.major) + "." + std::to_string(m.version.minor);
  const std::string name = "sm_" + std::to_string(m.sm) + m.target_suffix;
  if (!ptx::is_isa_version(m.version))
    throw error(code{472},
                "PTX of version " + version + "; the newest that is known is " + std::to_string(ptx::newest_isa.major) + "." +
                    std::to_string(ptx::newest_isa.minor),
                "compile for an older version of PTX, as an older toolkit does");
  const char suffix = m.target_suffix.empty() ? '\0' : m.target_suffix[0];
  const ptx::gpu_target* const target = ptx::find_gpu_target(m.sm, suffix);
  if (target == nullptr)
    throw error(code{471}, "there is no GPU '" + name + "'", "compile for sm_" + std::to_string(device_sm) + " or older");
  if (!runs_on_device(m.sm, suffix))
    throw error(code{471},
                "PTX for " + name + " does not run on the emulated device, an sm_" + std::to_string(device_sm) + " GPU",
                "compile for sm_" + std::to_string(device_sm) + " or older");
  if (m.version.major * 10 + m.version.minor < target->isa)
    throw error(code{471}, "PTX of version " + version + " has no target " + name,
                "raise .version to " + std::to_string(target->isa / 10) + "." + std::to_string(target->isa % 10));
}

/// Bytes of parameters that a kernel of `m` may have. Source: ptxas 13.0; PTX ISA 9.0, 5.1.6.
inline std::size_t most_parameter_bytes(const ptx::module& m) {
  return m.version >= ptx::isa_version{8, 1} && m.sm >= 70 ? 32764 : 4352;
}

/// Refuses static memory that does not fit: `bytes` of `what`.
/// Errors: TG473.
inline void require_room(const std::string& what, std::size_t bytes, std::size_t most) {
  if (bytes > most)
    throw error(code{473}, std::to_string(bytes) + " bytes of " + what + "; there are " + std::to_string(most),
                "use less, or memory that is asked for at launch");
}

/// All constant memory of a module.
/// Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications per Compute Capability".
inline constexpr std::size_t most_constant_bytes = 64 << 10;

/// Refuses an instruction that the text's own version or target does not have, as ptxas does. What texts before version
/// 6.0 and targets before sm_50 may hold is not known.
/// Errors: TG471 target, TG472 version.
inline void require_features(const ptx::module& m) {
  const ptx::requirements need = ptx::requirements_of(m);
  constexpr ptx::requirement base;
  const auto fail = [&](int number, const ptx::requirements::demand& by, const std::string& needed, const std::string& has) {
    const ptx::function& f = m.functions[by.function];
    const std::string what =
        by.instruction == ptx::no_index ? "a directive" : "'" + ptx::to_string(m, f, f.body[by.instruction]) + "'";
    throw error(code{number}, what + " in '" + f.name + "' needs " + needed + "; the text is for " + has, "raise it",
                m.files[by.where.file], static_cast<int>(by.where.line));
  };
  const std::string suffix = need.least.target_suffix == '\0' ? "" : std::string(1, need.least.target_suffix);
  const bool lacks_suffix = !suffix.empty() && m.target_suffix.empty();
  if (need.sm_by.function != ptx::no_index && ((need.least.sm > base.sm && need.least.sm > m.sm) || lacks_suffix))
    fail(471, need.sm_by, ".target sm_" + std::to_string(need.least.sm) + suffix,
         "sm_" + std::to_string(m.sm) + m.target_suffix);
  const int version = 10 * m.version.major + m.version.minor;
  if (need.isa_by.function != ptx::no_index && need.least.isa > base.isa && need.least.isa > version)
    fail(472, need.isa_by, ".version " + std::to_string(need.least.isa / 10) + "." + std::to_string(need.least.isa % 10),
         ".version " + std::to_string(m.version.major) + "." + std::to_string(m.version.minor));
}

}  // namespace tg::emulator
