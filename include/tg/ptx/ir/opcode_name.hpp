// How an opcode is spelled in PTX, and back. Apart from `opcode`, because the language needs no names.
#pragma once

#include <cstddef>
#include <string_view>

#include <tg/ptx/ir/lookup.hpp>
#include <tg/ptx/ir/opcode.hpp>

namespace tg::ptx {

#define TG_OPCODE(id, name, ...) name,
/// The text of each opcode.
inline constexpr const char* opcode_names[] = {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

/// What stands before `assume` in a text: the rest of the line is a comment to others, and an instruction here.
inline constexpr std::string_view aside = "//tg:";

/// The text of an opcode.
constexpr std::string_view name(opcode op) { return opcode_names[static_cast<std::size_t>(op)]; }

/// The opcode spelled `text`, or `opcode::none`.
inline opcode to_opcode(std::string_view text) {
  static const detail::name_index index(opcode_names);
  return static_cast<opcode>(index.find(text, 0));
}

}  // namespace tg::ptx
