// Numbers and places as people read them.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <tg/base/number_text.hpp>

namespace tg::report {

/// 1,234,567.
inline std::string grouped(std::uint64_t n) {
  std::string out = std::to_string(n);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
  return out;
}

/// Three significant digits: 0.0123, 1.23, 12.3, 1,234.
inline std::string rounded(double x) {
  if (std::abs(x) >= 1000) return grouped(static_cast<std::uint64_t>(std::llround(x)));
  return general_text(x, 3);
}

/// 37 %; what is there at all is 1 % at least.
inline std::string percent(double share) {
  return share > 0 && share < 0.01 ? "<1 %" : std::to_string(std::lround(100 * share)) + " %";
}

/// "1 sector", "4 sectors".
inline std::string count(std::uint64_t n, std::string_view what) {
  return grouped(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

/// The last part of a path.
inline std::string file_name(std::string_view path) { return std::string(path.substr(path.find_last_of('/') + 1)); }

/// "softmax.hpp:27"; for something without a line "an unknown line".
inline std::string place(std::string_view file, std::uint32_t line) {
  return line == 0 ? "an unknown line" : file_name(file) + ":" + std::to_string(line);
}

}  // namespace tg::report
