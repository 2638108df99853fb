// The first word of every PTX instruction, and the markers of structured control flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tg::ptx {

#define TG_OPCODE(id, ...) id,
/// PTX opcode; a C++ keyword gets a trailing underscore.
enum class opcode : std::uint16_t {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

#define TG_OPCODE(id, name, ...) name,
inline constexpr const char* opcode_names[] = {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

/// What stands before `assume` in a text: the rest of the line is a comment to others, and an instruction here.
inline constexpr std::string_view aside = "//tg:";

constexpr std::string_view name(opcode op) { return opcode_names[static_cast<std::size_t>(op)]; }

constexpr bool is_marker(opcode op) { return op >= opcode::if_ && op <= opcode::endloop; }

/// The opcode spelled `text`, or `opcode::none`.
opcode to_opcode(std::string_view text);

}  // namespace tg::ptx

#include <tg/ptx/ir/lookup.hpp>

inline tg::ptx::opcode tg::ptx::to_opcode(std::string_view text) {
  static const detail::name_index index(opcode_names);
  return static_cast<opcode>(index.find(text, 0));
}
