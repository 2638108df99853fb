// The text files of the project, read from the folder the tests run in.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace house {

/// A file: its path from the root of the project, with '/', and what is in it.
struct source {
  std::string path;
  std::string text;
};

/// One complaint per element: `include/tg/base/a.hpp:3: ...`.
using complaints = std::vector<std::string>;

inline std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All files with one of the extensions, in these folders and below, sorted by path.
inline std::vector<source> sources_in(std::initializer_list<std::string_view> folders,
                                      std::initializer_list<std::string_view> extensions) {
  std::vector<source> out;
  for (const auto folder : folders) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const bool is_wanted = std::ranges::find(extensions, entry.path().extension().string()) != extensions.end();
      if (entry.is_regular_file() && is_wanted) out.push_back({entry.path().generic_string(), read(entry.path())});
    }
  }
  std::ranges::sort(out, {}, &source::path);
  return out;
}

/// The headers of the library and of the kernel library, and the bodies of functions (.inl) that they include.
inline std::vector<source> headers() { return sources_in({"include/tg", "kernels"}, {".hpp", ".inl"}); }

/// How a header is named by those who include it.
inline std::string target_of(std::string_view path) {
  constexpr std::string_view root = "include/";
  return std::string(path.starts_with(root) ? path.substr(root.size()) : path);
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string at_line(const source& file, std::size_t index) { return file.path + ":" + std::to_string(index + 1) + ": "; }

/// One `#include`: what stands between the brackets or quotes, and on which line (from 0).
struct include {
  std::string target;
  std::size_t line = 0;
  bool is_quoted = false;
};

inline std::vector<include> includes_of(const source& file) {
  std::vector<include> out;
  const auto lines = lines_of(file.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("#")) continue;
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    const auto open = line.find_first_of("<\"");
    if (open == line.npos) continue;
    const auto close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    if (close == line.npos) continue;
    out.push_back({std::string(line.substr(open + 1, close - open - 1)), i, line[open] == '"'});
  }
  return out;
}

}  // namespace house
