// Addresses of device memory differ from run to run; what tests compare whole is compared without them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// The text with `0x...` for each hexadecimal number of more than 8 digits.
inline std::string without_global_addresses(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find("0x", at);
    if (begin == text.npos) return out += text.substr(at);
    std::size_t end = begin + 2;
    while (end < text.size() && std::string_view("0123456789abcdef").find(text[end]) != std::string_view::npos) ++end;
    out += text.substr(at, begin - at);
    out += end - begin > 10 ? "0x..." : text.substr(begin, end - begin);
    at = end;
  }
  return out;
}
