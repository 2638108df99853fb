// The headers of a CUDA toolkit, read as text where there is one.
#pragma once

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace toolkit {

inline std::optional<std::string> read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The folder of the toolkit that CUDA_HOME or CUDA_PATH names, or the usual one.
inline std::optional<std::string> folder() {
  std::vector<std::string> candidates;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable)) candidates.emplace_back(value);
  candidates.emplace_back("/usr/local/cuda");
  for (const auto& candidate : candidates)
    if (std::ifstream(candidate + "/include/cuda.h")) return candidate;
  return std::nullopt;
}

inline std::optional<std::string> header(const std::string& name) {
  const auto where = folder();
  return where ? read(*where + "/include/" + name) : std::nullopt;
}

/// Every `NAME = number` and `#define NAME number` of a text; an enumerator without a number is one more than the last.
inline std::map<std::string, long long> numbers(const std::string& text) {
  std::map<std::string, long long> out;
  std::istringstream lines(text);
  long long last = -1;
  bool is_in_enum = false;
  for (std::string line; std::getline(lines, line);) {
    for (char& c : line)
      if (c == '=' || c == ',') c = ' ';
    std::istringstream words(line);
    std::string name, value;
    words >> name;
    if (name == "#define") words >> name;
    words >> value;
    if (name == "typedef") is_in_enum = value == "enum", last = -1;
    if (name.starts_with("}")) is_in_enum = false;
    const bool is_counted = is_in_enum && value.empty() && name.starts_with("CU_");
    if (!is_counted && (value.empty() || !std::isdigit(static_cast<unsigned char>(value[0])))) continue;
    long long shift = 0;
    std::string shifted;
    if (words >> shifted && shifted == "<<") words >> shift;
    last = is_counted ? last + 1 : std::strtoll(value.c_str(), nullptr, 0) << shift;
    out.try_emplace(name, last);
  }
  return out;
}

}  // namespace toolkit
