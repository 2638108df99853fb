// What can be wrong with PTX, as text or as a module: TG300 to TG349.
#pragma once

#include <array>

#include <tg/base/code_info.hpp>

namespace tg::ptx {

inline constexpr code syntax_error{300};
inline constexpr code unknown_word{301};
inline constexpr code undeclared_name{302};
inline constexpr code redeclared_name{303};
inline constexpr code bad_number{304};
inline constexpr code unsupported{305};
inline constexpr code too_large{306};
inline constexpr code wrong_declaration{307};
inline constexpr code no_such_form{310};
inline constexpr code wrong_operand{311};
inline constexpr code wrong_register{312};
inline constexpr code wrong_label{313};
inline constexpr code unbalanced_markers{314};
inline constexpr code unwritten_register{315};
inline constexpr code texture_refused{316};
inline constexpr code dangling_id{317};
inline constexpr code wrong_address{318};
inline constexpr code bad_name{319};
inline constexpr code not_flat{320};

inline constexpr auto codes = std::to_array<code_info>({
    {300, "the PTX text is not well formed", "a semicolon, brace or operand is missing", "look at the line and column"},
    {301, "an instruction, modifier or type is unknown", "a misspelt word, or an ISA newer than this library knows",
     "compare with the PTX manual"},
    {302, "a name is used that nothing declares", "a register outside its braces, or a misspelt label", "declare it"},
    {303, "a name is declared twice", "two variables, labels or functions of one name in one scope", "rename one"},
    {304, "a number is malformed or out of its range", "a constant of more than 64 bits, or 0f without 8 digits",
     "write the value another way"},
    {305, "valid PTX that is not supported", "32-bit addresses, parameters in registers, parts of registers",
     "do what the message says instead"},
    {306, "the PTX text exceeds a limit", "generated text with very deep nesting or very long lists", "split it"},
    {307, "a declaration that PTX does not allow", "an array without a size, a vector or array where none may be",
     "do what the message says instead"},
    {310, "PTX has no such form of the instruction", "a type or modifier the instruction does not take",
     "use a form the message lists"},
    {311, "an operand is of the wrong kind", "an immediate where a register belongs, or too few operands",
     "compare with the form in the message"},
    {312, "a register is of the wrong type", "a 32-bit value where 64 bits are read", "convert it first"},
    {313, "a label is missing or defined twice", "a branch that outlived its target", "define it once"},
    {314, "structured control flow does not pair", "an <endif> or <endloop> too many or too few", "close what is opened"},
    {315, "a register is read before it is written", "a value made in one branch is used behind it",
     "declare a tg::var before the branch, with a number for where it does not run"},
    {316, "textures and surfaces are not supported", "the program samples textures", "read global memory instead"},
    {317, "the module is inconsistent", "an id that names nothing, from a pass or a hand-made module",
     "report it, with the kernel"},
    {318, "an address is in another space or too far", "a shared variable read as global, an offset beyond 32 bits",
     "name the right space"},
    {319, "a name cannot be spelt in PTX", "a kernel name with other characters than letters, digits, _ and $", "rename it"},
    {320, "structured control flow cannot be printed", "flatten was not run", "run flatten, or optimize, first"},
});

}  // namespace tg::ptx
