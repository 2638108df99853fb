// How a row of the form table is written.
//
// Tokens: `.sat` must be there, `[.sat]` may, `.{u32|s32}` is one of them; a word in capitals stands for a family.
// Operands: `d` written, `a b c e f` read, of the instruction's type or of the type behind a colon (`T` the last type
// token, `U` the one before, `2T` twice as wide). `+` a wider register will do; `*` as many as .v2 or .x4 says; `{4}` a
// vector of four. `p` written predicate, `!p` read one, `p|q` and `d|p` with a second result or not, `d&p` with; `d_`
// may be the sink; `[a]` an address; `i` a number; `m` what mov and cvta take; `L` label; `F` callee;
// `()` a list; `x` prototype; `[,b]` optional.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tg/ptx/opcode.hpp>
#include <tg/ptx/token.hpp>

namespace tg::ptx {

/// One form of an instruction with the least target and ISA version (×10) that take it.
struct form_row {
  opcode op = opcode::none;
  std::string_view tokens;
  std::string_view operands;
  std::uint8_t sm = 50;
  std::uint8_t isa = 60;
  char target_suffix = '\0';  // 'a': sm_90a and the like only

  constexpr bool is_vector_access() const { return operands.find('*') != std::string_view::npos && op != opcode::none; }
};

namespace detail {

struct family {
  std::string_view name;
  std::string_view tokens;
};

inline constexpr std::array families = std::to_array<family>({
    {"INT", "u16|s16|u32|s32|u64|s64"},
    {"INT8", "u8|s8|u16|s16|u32|s32|u64|s64"},
    {"BITS", "b16|b32|b64"},
    {"RND", "rn|rz|rm|rp"},
    {"RNI", "rni|rzi|rmi|rpi"},
    {"BOOL", "and|or|xor"},
    {"ORDER", "eq|ne|lt|le|gt|ge"},
    {"FLOAT_ORDER", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"SCOPE", "cta|cluster|gpu|sys"},
    {"SHARED", "shared|shared::cta|shared::cluster"},
    {"MEM", "b8|b16|b32|b64|b128|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
    {"EVICT", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"FETCH", "L2::64B|L2::128B|L2::256B"},
    {"LAYOUT", "row|col"},
});

constexpr std::string_view token_family(std::string_view word) {
  for (const family& f : families)
    if (f.name == word) return f.tokens;
  return {};
}

}  // namespace detail
}  // namespace tg::ptx
