// Keeps the PTX that is loaded, for those who want to see what another library generates.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include <tg/base/error.hpp>
#include <tg/base/file.hpp>

namespace tg::emulator {

/// Writes `ptx` into the folder that the environment's TG_EMULATOR_PTX names, under a name made of its hash; equal texts
/// are kept once. Does nothing where no folder is named.
/// Errors: TG480 when the folder cannot be written.
inline void keep_text(std::string_view ptx) {
  const char* const folder = std::getenv("TG_EMULATOR_PTX");
  if (folder == nullptr || *folder == '\0') return;
  make_folders(folder);
  const std::string file = std::string(folder) + "/" + std::to_string(std::hash<std::string_view>{}(ptx)) + ".ptx";
  if (!write_file(file, ptx))
    throw error(code{480}, "TG_EMULATOR_PTX: " + file + " cannot be written", "name a folder that can be written, or unset it");
}

}  // namespace tg::emulator
