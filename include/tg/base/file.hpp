// Whole files, without <fstream> and <filesystem>: which take long to include.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sys/stat.h>

namespace tg {

/// Makes `path` a file of these bytes. Returns: false where it cannot be written.
inline bool write_file(const std::string& path, std::string_view bytes) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool is_written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && is_written;
}

/// The bytes of a file; none where it cannot be read.
inline std::optional<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return std::nullopt;
  std::string out;
  char part[4096];
  while (const std::size_t some = std::fread(part, 1, sizeof part, file.get())) out.append(part, some);
  if (std::ferror(file.get()) != 0) return std::nullopt;
  return out;
}

/// Makes the folder and those above it, where it can.
inline void make_folders(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    mkdir(path.substr(0, end).c_str(), 0777);
  mkdir(path.c_str(), 0777);
}

}  // namespace tg
