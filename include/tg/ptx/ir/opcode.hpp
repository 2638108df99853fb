// The first word of every PTX instruction, and the markers of structured control flow.
#pragma once

#include <cstdint>

namespace tg::ptx {

#define TG_OPCODE(id, ...) id,
/// PTX opcode; a C++ keyword gets a trailing underscore.
enum class opcode : std::uint16_t {
#include <tg/ptx/ir/opcode_rows.hpp>
};
#undef TG_OPCODE

/// Whether the opcode is a marker of structured control flow.
constexpr bool is_marker(opcode op) { return op >= opcode::if_ && op <= opcode::endloop; }

}  // namespace tg::ptx
