// The table of opcodes: one row for the first word of every PTX instruction, from which all else is derived. Its forms, with
// operands, types, modifiers and the least target and ISA version of each, are the rows of forms_*.hpp.
//
// An instruction that is not in this table does not exist, and each column must be written: there is no usual effect.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <tg/ptx/opcode_row.hpp>

namespace tg::ptx {

// Columns: name in C++, where a keyword gets a trailing underscore; name in PTX; effect; results; class; cycles; flops; traits.
// The first rows and the last one are not PTX: markers that `flatten` turns into labels and branches (an <if> lets the lanes
// run where its predicate holds, up to the matching <else> or <endif>; lanes go back from an <endloop> where its predicate
// holds), the label itself, and `assume`: `assume p` promises that p holds, `assume.warp.b32 a, n` that the lanes of a warp
// that come by hold one multiple of n in a; both are comments to ptxas.
#define TG_OPCODES(row) \
  row(none, "", control, 0, other, 4, 0, none)                                                                     \
  row(if_, "<if>", control, 0, other, 4, 0, none)                                                                  \
  row(else_, "<else>", control, 0, other, 4, 0, none)                                                              \
  row(endif, "<endif>", control, 0, other, 4, 0, none)                                                             \
  row(loop, "<loop>", control, 0, other, 4, 0, none)                                                               \
  row(endloop, "<endloop>", control, 0, other, 4, 0, none)                                                         \
  row(label, "<label>", control, 0, other, 4, 0, none)                                                             \
  row(abs, "abs", pure, 1, arithmetic, 4, 0, immediates)                                                           \
  row(activemask, "activemask", convergent, 1, exchange, 18, 0, none)                                              \
  row(add, "add", pure, 1, arithmetic, 4, 1, commutative | cheap | uniform | immediates | carries_up)              \
  row(addc, "addc", ordered, 1, other, 4, 0, none)                                                                 \
  row(alloca, "alloca", ordered, 1, other, 4, 0, none)                                                             \
  row(and_, "and", pure, 1, arithmetic, 4, 0, commutative | cheap | uniform | immediates | bitwise)                \
  row(applypriority, "applypriority", ordered, 0, other, 4, 0, none)                                               \
  row(atom, "atom", atomic, 1, atomic, far_cycles, 0, access)                                                      \
  row(bar, "bar", synchronizes, by_modifiers, barrier, 18, 0, meets_block)                                         \
  row(barrier, "barrier", synchronizes, by_modifiers, barrier, 4, 0, meets_block)                                  \
  row(bfe, "bfe", pure, 1, arithmetic, 4, 0, uniform)                                                              \
  row(bfi, "bfi", pure, 1, arithmetic, 4, 0, none)                                                                 \
  row(bfind, "bfind", pure, 1, arithmetic, 4, 0, none)                                                             \
  row(bmsk, "bmsk", pure, 1, arithmetic, 4, 0, immediates)                                                         \
  row(bra, "bra", control, 0, control, 4, 0, jumps)                                                                \
  row(brev, "brev", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(brkpt, "brkpt", ordered, 0, other, 4, 0, none)                                                               \
  row(brx, "brx", control, 0, control, 4, 0, jumps)                                                                \
  row(call, "call", control, 1, control, 4, 0, none)                                                               \
  row(clz, "clz", pure, 1, arithmetic, 4, 0, none)                                                                 \
  row(cnot, "cnot", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(copysign, "copysign", pure, 1, arithmetic, 4, 0, none)                                                       \
  row(cos, "cos", pure, 1, special_function, 18, 1, sequence)                                                      \
  row(cp, "cp", writes_memory, 0, memory, 4, 0, none)                                                              \
  row(createpolicy, "createpolicy", pure, 1, arithmetic, 4, 0, none)                                               \
  row(cvt, "cvt", pure, 1, arithmetic, 4, 0, uniform | immediates)                                                 \
  row(cvta, "cvta", pure, 1, arithmetic, 4, 0, uniform)                                                            \
  row(discard, "discard", writes_memory, 0, other, 4, 0, none)                                                     \
  row(div, "div", pure, 1, arithmetic, 18, 1, sequence | immediates)                                               \
  row(dp2a, "dp2a", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(dp4a, "dp4a", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(elect, "elect", convergent, 1, exchange, 4, 0, none)                                                         \
  row(ex2, "ex2", pure, 1, special_function, 18, 1, sequence)                                                      \
  row(exit, "exit", control, 0, control, 4, 0, leaves)                                                             \
  row(fence, "fence", synchronizes, 0, barrier, 4, 0, none)                                                        \
  row(fma, "fma", pure, 1, arithmetic, 4, 2, commutative | immediates)                                             \
  row(fns, "fns", pure, 1, arithmetic, 4, 0, none)                                                                 \
  row(getctarank, "getctarank", pure, 1, arithmetic, 4, 0, none)                                                   \
  row(griddepcontrol, "griddepcontrol", synchronizes, 0, other, 4, 0, none)                                        \
  row(isspacep, "isspacep", pure, 1, arithmetic, 4, 0, none)                                                       \
  row(istypep, "istypep", pure, 1, arithmetic, 4, 0, texture)                                                      \
  row(ld, "ld", reads_memory, 1, memory, far_cycles, 0, access)                                                    \
  row(ldmatrix, "ldmatrix", convergent, 1, memory, far_cycles, 0, access | matrix_rows)                            \
  row(ldu, "ldu", reads_memory, 1, memory, far_cycles, 0, none)                                                    \
  row(lg2, "lg2", pure, 1, special_function, 18, 1, sequence)                                                      \
  row(lop3, "lop3", pure, 1, arithmetic, 4, 0, uniform)                                                            \
  row(mad, "mad", pure, 1, arithmetic, 4, 2, commutative | cheap | uniform | immediates | carries_up | half_first) \
  row(mad24, "mad24", pure, 1, arithmetic, 4, 0, half_first)                                                       \
  row(madc, "madc", ordered, 1, other, 4, 0, half_first)                                                           \
  row(mapa, "mapa", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(match, "match", convergent, 1, exchange, 30, 0, none)                                                        \
  row(max, "max", pure, 1, arithmetic, 4, 0, commutative | uniform | immediates)                                   \
  row(mbarrier, "mbarrier", synchronizes, by_modifiers, barrier, 4, 0, none)                                       \
  row(membar, "membar", synchronizes, 0, barrier, 4, 0, none)                                                      \
  row(min, "min", pure, 1, arithmetic, 4, 0, commutative | uniform | immediates)                                   \
  row(mma, "mma", convergent, 1, matrix, far_cycles, 0, none)                                                      \
  row(mov, "mov", pure, 1, arithmetic, 4, 0, immediates | bitwise)                                                 \
  row(movmatrix, "movmatrix", convergent, 1, other, 4, 0, none)                                                    \
  row(mul, "mul", pure, 1, arithmetic, 4, 1, commutative | cheap | uniform | immediates | carries_up | half_first) \
  row(mul24, "mul24", pure, 1, arithmetic, 4, 0, half_first)                                                       \
  row(multimem, "multimem", atomic, 0, other, 4, 0, none)                                                          \
  row(nanosleep, "nanosleep", ordered, 0, other, 4, 0, none)                                                       \
  row(neg, "neg", pure, 1, arithmetic, 4, 0, uniform | immediates | carries_up)                                    \
  row(not_, "not", pure, 1, arithmetic, 4, 0, uniform | immediates | bitwise)                                      \
  row(or_, "or", pure, 1, arithmetic, 4, 0, commutative | cheap | uniform | immediates | bitwise)                  \
  row(pmevent, "pmevent", ordered, 0, other, 4, 0, none)                                                           \
  row(popc, "popc", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(prefetch, "prefetch", ordered, 0, memory, 4, 0, none)                                                        \
  row(prefetchu, "prefetchu", ordered, 0, other, 4, 0, none)                                                       \
  row(prmt, "prmt", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(rcp, "rcp", pure, 1, special_function, 18, 1, sequence)                                                      \
  row(red, "red", atomic, 0, atomic, 4, 0, access)                                                                 \
  row(redux, "redux", convergent, 1, exchange, 30, 0, none)                                                        \
  row(rem, "rem", pure, 1, arithmetic, 18, 0, sequence | immediates)                                               \
  row(ret, "ret", control, 0, control, 4, 0, leaves)                                                               \
  row(rsqrt, "rsqrt", pure, 1, special_function, 18, 1, sequence)                                                  \
  row(sad, "sad", pure, 1, arithmetic, 4, 0, none)                                                                 \
  row(selp, "selp", pure, 1, arithmetic, 4, 0, uniform | bitwise)                                                  \
  row(set, "set", pure, 1, arithmetic, 4, 0, none)                                                                 \
  row(setmaxnreg, "setmaxnreg", synchronizes, 0, other, 4, 0, none)                                                \
  row(setp, "setp", pure, 1, arithmetic, 4, 0, uniform)                                                            \
  row(shf, "shf", pure, 1, arithmetic, 4, 0, uniform)                                                              \
  row(shfl, "shfl", convergent, 1, exchange, 30, 0, none)                                                          \
  row(shl, "shl", pure, 1, arithmetic, 4, 0, cheap | uniform | immediates | carries_up)                            \
  row(shr, "shr", pure, 1, arithmetic, 4, 0, cheap | uniform | immediates)                                         \
  row(sin, "sin", pure, 1, special_function, 18, 1, sequence)                                                      \
  row(slct, "slct", pure, 1, arithmetic, 4, 0, none)                                                               \
  row(sqrt, "sqrt", pure, 1, special_function, 18, 1, sequence)                                                    \
  row(st, "st", writes_memory, 0, memory, 4, 0, access)                                                            \
  row(stackrestore, "stackrestore", ordered, 0, other, 4, 0, none)                                                 \
  row(stacksave, "stacksave", ordered, 1, other, 4, 0, none)                                                       \
  row(stmatrix, "stmatrix", writes_memory, 0, memory, 4, 0, access | matrix_rows)                                  \
  row(sub, "sub", pure, 1, arithmetic, 4, 1, cheap | uniform | immediates | carries_up)                            \
  row(subc, "subc", ordered, 1, other, 4, 0, none)                                                                 \
  row(suld, "suld", reads_memory, 1, other, 4, 0, texture)                                                         \
  row(suq, "suq", pure, 1, arithmetic, 4, 0, texture)                                                              \
  row(sured, "sured", atomic, 0, other, 4, 0, texture)                                                             \
  row(sust, "sust", writes_memory, 0, other, 4, 0, texture)                                                        \
  row(szext, "szext", pure, 1, arithmetic, 4, 0, none)                                                             \
  row(tanh, "tanh", pure, 1, special_function, 4, 1, sequence)                                                     \
  row(tcgen05, "tcgen05", synchronizes, 0, other, 4, 0, none)                                                      \
  row(tensormap, "tensormap", writes_memory, 0, other, 4, 0, none)                                                 \
  row(testp, "testp", pure, 1, arithmetic, 4, 0, none)                                                             \
  row(tex, "tex", reads_memory, 1, other, 4, 0, texture)                                                           \
  row(tld4, "tld4", reads_memory, 1, other, 4, 0, texture)                                                         \
  row(trap, "trap", control, 0, control, 4, 0, leaves)                                                             \
  row(txq, "txq", pure, 1, arithmetic, 4, 0, texture)                                                              \
  row(vabsdiff, "vabsdiff", pure, 1, arithmetic, 4, 0, video)                                                      \
  row(vabsdiff2, "vabsdiff2", pure, 1, arithmetic, 4, 0, video)                                                    \
  row(vabsdiff4, "vabsdiff4", pure, 1, arithmetic, 4, 0, video)                                                    \
  row(vadd, "vadd", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vadd2, "vadd2", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vadd4, "vadd4", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vavrg2, "vavrg2", pure, 1, arithmetic, 4, 0, video)                                                          \
  row(vavrg4, "vavrg4", pure, 1, arithmetic, 4, 0, video)                                                          \
  row(vmad, "vmad", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vmax, "vmax", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vmax2, "vmax2", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vmax4, "vmax4", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vmin, "vmin", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vmin2, "vmin2", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vmin4, "vmin4", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vote, "vote", convergent, 1, exchange, 30, 0, none)                                                          \
  row(vset, "vset", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vset2, "vset2", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vset4, "vset4", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vshl, "vshl", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vshr, "vshr", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vsub, "vsub", pure, 1, arithmetic, 4, 0, video)                                                              \
  row(vsub2, "vsub2", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(vsub4, "vsub4", pure, 1, arithmetic, 4, 0, video)                                                            \
  row(wgmma, "wgmma", synchronizes, by_modifiers, matrix, 4, 0, none)                                              \
  row(wmma, "wmma", convergent, by_modifiers, matrix, far_cycles, 0, none)                                         \
  row(xor_, "xor", pure, 1, arithmetic, 4, 0, commutative | cheap | uniform | immediates | bitwise)                \
  row(assume, "assume", ordered, 0, other, 4, 0, none)

#define TG_OPCODE(id, ...) id,
/// PTX opcode; a C++ keyword gets a trailing underscore.
enum class opcode : std::uint16_t { TG_OPCODES(TG_OPCODE) };
#undef TG_OPCODE

#define TG_OPCODE(id, name, ...) name,
inline constexpr const char* opcode_names[] = {TG_OPCODES(TG_OPCODE)};
#undef TG_OPCODE

namespace detail {

inline constexpr auto opcode_rows = [] {
  using namespace trait;
#define TG_OPCODE(id, name, does, results, kind, cycles, flops, traits) \
  opcode_row{effect::does, results, instruction_class::kind, cycles, flops, traits},
  return std::array{TG_OPCODES(TG_OPCODE)};
#undef TG_OPCODE
}();

}  // namespace detail

#undef TG_OPCODES

/// What the table says about an opcode.
constexpr const opcode_row& row_of(opcode op) { return detail::opcode_rows[static_cast<std::size_t>(op)]; }

/// Whether the opcode has one of the `wanted` traits.
constexpr bool has_trait(opcode op, trait::flags wanted) { return row_of(op).is(wanted); }

/// What stands before `assume` in a text: the rest of the line is a comment to others, and an instruction here.
inline constexpr std::string_view aside = "//tg:";

constexpr std::string_view name(opcode op) { return opcode_names[static_cast<std::size_t>(op)]; }

constexpr bool is_marker(opcode op) { return op >= opcode::if_ && op <= opcode::endloop; }

/// The opcode spelled `text`, or `opcode::none`.
opcode to_opcode(std::string_view text);

}  // namespace tg::ptx

#include <tg/ptx/lookup.hpp>

inline tg::ptx::opcode tg::ptx::to_opcode(std::string_view text) {
  static const detail::name_index index(opcode_names);
  return static_cast<opcode>(index.find(text, 0));
}
