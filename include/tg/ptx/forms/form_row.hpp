// How a row of the form table is written.
//
// Tokens: `.sat` must be there, `[.sat]` may, `.{u32|s32}` is one of them; a word in capitals stands for a family.
// Operands: `d` written, `a b c e f` read, of the instruction's type or of the type behind a colon (`T` the last type
// token, `U` the one before, `2T` twice as wide). `+` a wider register will do; `*` as many as .v2 or .x4 says; `{4}` a
// vector of four, `{/2}` of half the shape's n. `p` written predicate, `!p` read one, `p|q` and `d|p` with a second
// result or not, `d&p` with; `d_` may be the sink; `[a]` an address; `i` a number; `m` what mov and cvta take; `L` label; `F`
// callee;
// `()` a list; `x` prototype; `[,b]` optional.
#pragma once

#include <cstdint>
#include <string_view>

#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::ptx {

/// One form of an instruction with the least target and ISA version (×10) that take it.
struct form_row {
  opcode op = opcode::none;
  const char* tokens = "";  // no string_view: the compiler would measure hundreds, for every file that includes this
  const char* operands = "";
  std::uint8_t sm = 50;
  std::uint8_t isa = 60;
  char target_suffix = '\0';  // 'a': sm_90a and the like only

  constexpr bool is_vector_access() const {
    return std::string_view(operands).find('*') != std::string_view::npos && op != opcode::none;
  }
};

namespace detail {

struct family {
  const char* name;
  const char* tokens;
};

inline constexpr family families[] = {
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
    {"M64K8", "m64n8k8|m64n16k8|m64n24k8|m64n32k8|m64n40k8|m64n48k8|m64n56k8|m64n64k8|m64n72k8|m64n80k8|m64n88k8|"
              "m64n96k8|m64n104k8|m64n112k8|m64n120k8|m64n128k8|m64n136k8|m64n144k8|m64n152k8|m64n160k8|m64n168k8|"
              "m64n176k8|m64n184k8|m64n192k8|m64n200k8|m64n208k8|m64n216k8|m64n224k8|m64n232k8|m64n240k8|m64n248k8|"
              "m64n256k8"},
    {"M64K16", "m64n8k16|m64n16k16|m64n24k16|m64n32k16|m64n40k16|m64n48k16|m64n56k16|m64n64k16|m64n72k16|m64n80k16|"
               "m64n88k16|m64n96k16|m64n104k16|m64n112k16|m64n120k16|m64n128k16|m64n136k16|m64n144k16|m64n152k16|"
               "m64n160k16|m64n168k16|m64n176k16|m64n184k16|m64n192k16|m64n200k16|m64n208k16|m64n216k16|m64n224k16|"
               "m64n232k16|m64n240k16|m64n248k16|m64n256k16"},
    {"M64K32", "m64n8k32|m64n16k32|m64n24k32|m64n32k32|m64n40k32|m64n48k32|m64n56k32|m64n64k32|m64n72k32|m64n80k32|"
               "m64n88k32|m64n96k32|m64n104k32|m64n112k32|m64n120k32|m64n128k32|m64n136k32|m64n144k32|m64n152k32|"
               "m64n160k32|m64n168k32|m64n176k32|m64n184k32|m64n192k32|m64n200k32|m64n208k32|m64n216k32|m64n224k32|"
               "m64n232k32|m64n240k32|m64n248k32|m64n256k32"},
    {"M64K32_INT", "m64n8k32|m64n16k32|m64n24k32|m64n32k32|m64n48k32|m64n64k32|m64n80k32|m64n96k32|m64n112k32|m64n128k32|"
                   "m64n144k32|m64n160k32|m64n176k32|m64n192k32|m64n208k32|m64n224k32|m64n240k32|m64n256k32"},
    {"M64K256_BIT", "m64n8k256|m64n16k256|m64n24k256|m64n32k256|m64n48k256|m64n64k256|m64n80k256|m64n96k256|m64n112k256|"
                    "m64n128k256|m64n144k256|m64n160k256|m64n176k256|m64n192k256|m64n208k256|m64n224k256|m64n240k256|"
                    "m64n256k256"},
    {"DIMENSIONS", "1d|2d|3d|4d|5d"},
};

constexpr std::string_view token_family(std::string_view word) {
  for (const family& f : families)
    if (f.name == word) return f.tokens;
  return {};
}

}  // namespace detail
}  // namespace tg::ptx
