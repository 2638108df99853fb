// PTX text → module. Takes what nvcc, clang and people write, as far as the IR holds it.
//
// Not kept: debug sections, `inlined_at`, `.ptr` attributes, the scopes (names that shadow others get a
// number), the order of modifiers where it is not the manual's, parameters in registers (they become .param ones).
// Refused: textures and surfaces, 32-bit addresses.
#pragma once

#include <string_view>

#include <tg/ptx/ir/module.hpp>

namespace tg::ptx {

/// The module that `text` describes, in canonical form.
/// Errors: TG300 syntax, TG301 unknown word, TG302 undeclared name, TG303 name declared twice, TG304 bad number, TG305
/// not supported, TG306 too large, TG312 a guard that is no predicate, TG316 textures; each with line, column and text.
/// Cost: about 300 ns per instruction.
module parse(std::string_view text);

/// Parses as above; `lines` then says on which line each instruction of each function stands.
module parse(std::string_view text, line_map& lines);

}  // namespace tg::ptx
