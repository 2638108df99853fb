// The bytes or halves of a register that a video instruction takes: `.b3`, `.h10`, `.b7654`, kept in operand::value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tg::ptx {

/// The letters of `text`, one per byte; nothing where it is no part of a register.
constexpr std::optional<std::int64_t> to_register_part(std::string_view text) {
  const bool is_bytes = text.starts_with('b');
  if ((!is_bytes && !text.starts_with('h')) || text.size() < 2 || text.size() > (is_bytes ? 5u : 3u)) return {};
  std::int64_t coded = 0;
  for (std::size_t k = text.size(); k-- > 0;) {
    if (k > 0 && (text[k] < '0' || text[k] > (is_bytes ? '7' : '3'))) return {};
    coded = coded << 8 | text[k];
  }
  return coded;
}

/// The letters again: `h10`.
inline std::string register_part_name(std::int64_t coded) {
  std::string out;
  for (; coded != 0; coded >>= 8) out += static_cast<char>(coded & 0x7f);
  return out;
}

}  // namespace tg::ptx
