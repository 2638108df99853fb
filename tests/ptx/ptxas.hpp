// ptxas as a judge of PTX texts, where there is one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

#include <tg/runtime/content_hash.hpp>

namespace tg::ptx::test {

/// The ptxas to ask: TG_PTXAS, one on the PATH, the toolkit's default place; empty where there is none.
inline const std::string& ptxas_path() {
  static const std::string path = [] {
    if (const char* named = std::getenv("TG_PTXAS"); named != nullptr) return std::string(named);
    std::string search = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    search += ":/usr/local/cuda/bin";
    for (std::size_t begin = 0; begin <= search.size();) {
      const std::size_t end = std::min(search.find(':', begin), search.size());
      const std::filesystem::path candidate = std::filesystem::path(search.substr(begin, end - begin)) / "ptxas";
      if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
      begin = end + 1;
    }
    return std::string();
  }();
  return path;
}

inline bool has_ptxas() { return !ptxas_path().empty(); }

struct verdict {
  bool accepted = false;
  std::string log;  // ptxas' messages, each with the line of the text it is about
};

namespace detail {

inline std::string line_of(std::string_view text, int number) {
  std::size_t begin = 0;
  for (; number > 1 && begin < text.size(); --number) begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

/// The file that says that ptxas accepts a text, in the folder of TG_PTXAS_ACCEPTED, which all builds of a checkout share: a
/// text that has not changed since the last run is not assembled again, nor one that the tests of two compilers print alike but
/// for the lines of .loc. Empty: nothing is kept.
inline std::filesystem::path acceptance_of(std::string_view text, const std::string& target) {
  const char* const folder = std::getenv("TG_PTXAS_ACCEPTED");
  if (folder == nullptr) return {};
  std::error_code ignored;
  const auto changed = std::filesystem::last_write_time(ptxas_path(), ignored).time_since_epoch().count();
  std::string asked = ptxas_path() + " " + std::to_string(changed) + " " + target + "\n";
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.starts_with("\t.loc ")) asked.append(line).append("\n");
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::filesystem::path(folder) / runtime::hash_of(asked).text();
}

}  // namespace detail

/// Whether ptxas assembles `text` for `target`, such as sm_80.
inline verdict ask_ptxas(std::string_view text, const std::string& target) {
  const std::filesystem::path acceptance = detail::acceptance_of(text, target);
  if (!acceptance.empty() && std::filesystem::exists(acceptance)) return {true, ""};
  static int count = 0;
  const auto file = std::filesystem::temp_directory_path() /
                    ("tg_ptxas_" + std::to_string(getpid()) + "_" + std::to_string(count++) + ".ptx");
  std::ofstream(file) << text;
  const std::string command = ptxas_path() + " -O0 -arch=" + target + " " + file.string() + " -o /dev/null 2>&1";
  verdict out;
  if (FILE* pipe = popen(command.c_str(), "r"); pipe != nullptr) {
    std::array<char, 512> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
      const std::string line = buffer.data();
      if (line.find("warning") != std::string::npos || line.size() < 2) continue;
      out.log += line;
      if (const auto at = line.find(", line "); at != std::string::npos)
        out.log += "    " + detail::line_of(text, std::atoi(line.c_str() + at + 7)) + "\n";
    }
    out.accepted = pclose(pipe) == 0;
  }
  std::filesystem::remove(file);
  if (out.accepted && !acceptance.empty()) {
    std::filesystem::create_directories(acceptance.parent_path());
    std::ofstream{acceptance};
  }
  return out;
}

}  // namespace tg::ptx::test
