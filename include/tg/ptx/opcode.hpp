// The first word of every PTX instruction, and the markers of structured control flow.
#pragma once

#include <cstdint>
#include <string_view>

namespace tg::ptx {

/// PTX opcode; a C++ keyword gets a trailing underscore. The first few are not PTX: markers that `flatten` turns into
/// labels and branches, and the label itself. Nor is the last: `assume p` promises that p holds, `assume.warp.b32 a, n`
/// that the lanes of a warp that come by hold one multiple of n in a; both are comments to ptxas.
enum class opcode : std::uint16_t {
    none,
    if_,      // if_ p: the lanes where the predicate holds run up to the matching else_ or endif
    else_,
    endif,
    loop,
    endloop,  // endloop p: lanes where the predicate holds go back to the matching loop
    label,
    abs, activemask, add, addc, alloca, and_, applypriority, atom, bar, barrier, bfe, bfi, bfind, bmsk, bra, brev,
    brkpt, brx, call, clz, cnot, copysign, cos, cp, createpolicy, cvt, cvta, discard, div, dp2a, dp4a, elect, ex2,
    exit, fence, fma, fns, getctarank, griddepcontrol, isspacep, istypep, ld, ldmatrix, ldu, lg2, lop3, mad, mad24,
    madc, mapa, match, max, mbarrier, membar, min, mma, mov, movmatrix, mul, mul24, multimem, nanosleep, neg, not_,
    or_, pmevent, popc, prefetch, prefetchu, prmt, rcp, red, redux, rem, ret, rsqrt, sad, selp, set, setmaxnreg,
    setp, shf, shfl, shl, shr, sin, slct, sqrt, st, stackrestore, stacksave, stmatrix, sub, subc, suld, suq, sured,
    sust, szext, tanh, tcgen05, tensormap, testp, tex, tld4, trap, txq, vabsdiff, vabsdiff2, vabsdiff4, vadd,
    vadd2, vadd4, vavrg2, vavrg4, vmad, vmax, vmax2, vmax4, vmin, vmin2, vmin4, vote, vset, vset2, vset4, vshl,
    vshr, vsub, vsub2, vsub4, wgmma, wmma, xor_, assume,
};

inline constexpr const char* opcode_names[] = {
    "", "<if>", "<else>", "<endif>", "<loop>", "<endloop>", "<label>",
    "abs", "activemask", "add", "addc", "alloca", "and", "applypriority", "atom", "bar", "barrier", "bfe", "bfi",
    "bfind", "bmsk", "bra", "brev", "brkpt", "brx", "call", "clz", "cnot", "copysign", "cos", "cp", "createpolicy",
    "cvt", "cvta", "discard", "div", "dp2a", "dp4a", "elect", "ex2", "exit", "fence", "fma", "fns", "getctarank",
    "griddepcontrol", "isspacep", "istypep", "ld", "ldmatrix", "ldu", "lg2", "lop3", "mad", "mad24", "madc",
    "mapa", "match", "max", "mbarrier", "membar", "min", "mma", "mov", "movmatrix", "mul", "mul24", "multimem",
    "nanosleep", "neg", "not", "or", "pmevent", "popc", "prefetch", "prefetchu", "prmt", "rcp", "red", "redux",
    "rem", "ret", "rsqrt", "sad", "selp", "set", "setmaxnreg", "setp", "shf", "shfl", "shl", "shr", "sin", "slct",
    "sqrt", "st", "stackrestore", "stacksave", "stmatrix", "sub", "subc", "suld", "suq", "sured", "sust", "szext",
    "tanh", "tcgen05", "tensormap", "testp", "tex", "tld4", "trap", "txq", "vabsdiff", "vabsdiff2", "vabsdiff4",
    "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad", "vmax", "vmax2", "vmax4", "vmin", "vmin2", "vmin4",
    "vote", "vset", "vset2", "vset4", "vshl", "vshr", "vsub", "vsub2", "vsub4", "wgmma", "wmma", "xor", "assume",
};

/// What stands before `assume` in a text: the rest of the line is a comment to others, and an instruction here.
inline constexpr std::string_view aside = "//tg:";

constexpr std::string_view name(opcode op) { return opcode_names[static_cast<std::size_t>(op)]; }

static_assert(name(opcode::xor_) == "xor" && name(opcode::mad) == "mad");

constexpr bool is_marker(opcode op) { return op >= opcode::if_ && op <= opcode::endloop; }

/// The opcode spelled `text`, or `opcode::none`.
opcode to_opcode(std::string_view text);

}  // namespace tg::ptx

#include <tg/ptx/lookup.hpp>

inline tg::ptx::opcode tg::ptx::to_opcode(std::string_view text) {
  static const detail::name_index index(opcode_names);
  return static_cast<opcode>(index.find(text, 0));
}
