// The C++ source around the lines that a kernel has instructions of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/base/file.hpp>
#include <tg/explain/explanation.hpp>

namespace tg::detail {

/// The lines of a text, without their ends.
inline dynamic_array<std::string> to_lines(std::string_view text) {
  dynamic_array<std::string> out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// The lines of a source file: as the compiler named it, or, as a name that leads out of a build folder, below the
/// current one. Returns: nothing where it cannot be read.
inline dynamic_array<std::string> read_source(std::string_view path) {
  std::optional<std::string> text = read_file(std::string(path));
  if (!text) {
    while (path.starts_with("../")) path.remove_prefix(3);
    text = read_file(std::string(path));
  }
  return text ? to_lines(*text) : dynamic_array<std::string>{};
}

/// The used lines, which are ordered by file and number, with up to `around` lines of source on both sides of each.
inline dynamic_array<explained_line> with_source(const dynamic_array<explained_line>& used, std::uint32_t around = 3) {
  dynamic_array<explained_line> out;
  for (std::size_t first = 0; first < used.size();) {
    const std::string& file = used[first].where.file;
    const auto text = read_source(file);
    std::uint32_t next = 1;  // the first line that is not shown yet
    for (; first < used.size() && used[first].where.file == file; ++first) {
      const explained_line& own = used[first];
      const std::uint32_t line = own.where.line;
      const std::uint32_t begin = std::max(next, line > around ? line - around : 1);
      const bool is_last = first + 1 == used.size() || used[first + 1].where.file != file;
      const std::uint32_t follower = is_last ? line + around : std::min(line + around, used[first + 1].where.line - 1);
      for (std::uint32_t n = begin; n <= follower; ++n) {
        if (n != line && n > text.size()) continue;
        explained_line& shown = out.emplace_back();
        if (n == line) shown = own;
        shown.where = {file, n};
        if (n <= text.size()) shown.text = text[n - 1];
      }
      next = follower + 1;
    }
  }
  return out;
}

}  // namespace tg::detail
