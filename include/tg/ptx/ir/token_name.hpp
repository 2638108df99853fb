// How a token is spelled in PTX, and back. Apart from `token`, because the language needs no names.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

#include <tg/ptx/ir/lookup.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::ptx {

/// The text of each token.
// clang-format off
inline constexpr const char* token_names[] = {
    "",
    "1d", "2d", "2dms", "3d", "4d", "5d", "a", "a1d", "a2d", "a2dms", "abs", "acq_rel", "acquire", "acube", "add",
    "alias", "aligned", "all", "alloc", "and", "any", "approx", "arrive", "arrive_drop", "async", "async::generic",
    "b", "b1", "b1024", "b128", "b16", "b32", "b4e", "b64", "b6x16_p32", "b8", "ballot", "base", "bf16", "bf16x2",
    "bfly",
    "bmma", "box_dim", "bulk", "bulk_group", "c", "ca", "cas", "cc", "cg", "clamp", "cluster", "col", "commit_group",
    "complete_tx", "const", "cp_fenceproxy", "cs", "cta", "cta_group::1", "cta_group::2", "cube", "cv", "cvt", "d",
    "dealloc", "dec",
    "down", "e2m1x2", "e2m3x2", "e3m2x2", "e4m3", "e4m3x2", "e5m2", "e5m2x2", "ecl", "ecr", "element_stride",
    "elemtype", "eq", "equ", "exch",
    "expect_tx", "f16", "f16x2", "f32", "f4e", "f64", "fence", "fill_mode", "finite", "fractional", "ftz", "full", "ge", "generic",
    "geu",
    "gl", "global", "global_address", "global_dim", "global_stride", "gpu", "gt", "gtu", "hi", "hs", "idx",
    "ignore-src", "im2col", "im2col_no_offs", "inc",
    "infinite", "init", "interleave_layout", "inval", "l", "L1", "L1::evict_first", "L1::evict_last",
    "L1::evict_normal",
    "L1::evict_unchanged", "L1::no_allocate", "L2", "L2::128B", "L2::256B", "L2::64B", "L2::cache_hint",
    "L2::evict_first", "L2::evict_last", "L2::evict_normal", "L2::evict_unchanged", "launch_dependents", "le", "leu", "level",
    "level::eviction_priority", "lo", "load", "local", "ls", "lt", "ltu", "lu", "m16n16", "m16n16k16", "m16n16k8",
    "m16n8", "m16n8k128", "m16n8k16", "m16n8k256", "m16n8k32", "m16n8k4", "m16n8k64", "m16n8k8", "m32n8k16",
    "m64n104k16", "m64n104k256", "m64n104k32", "m64n104k64", "m64n104k8", "m64n112k16", "m64n112k256",
    "m64n112k32", "m64n112k64", "m64n112k8", "m64n120k16", "m64n120k256", "m64n120k32", "m64n120k64", "m64n120k8",
    "m64n128k16", "m64n128k256", "m64n128k32", "m64n128k64", "m64n128k8", "m64n136k16", "m64n136k256",
    "m64n136k32", "m64n136k64", "m64n136k8", "m64n144k16", "m64n144k256", "m64n144k32", "m64n144k64", "m64n144k8",
    "m64n152k16", "m64n152k256", "m64n152k32", "m64n152k64", "m64n152k8", "m64n160k16", "m64n160k256",
    "m64n160k32", "m64n160k64", "m64n160k8", "m64n168k16", "m64n168k256", "m64n168k32", "m64n168k64", "m64n168k8",
    "m64n16k16", "m64n16k256", "m64n16k32", "m64n16k64", "m64n16k8", "m64n176k16", "m64n176k256", "m64n176k32",
    "m64n176k64", "m64n176k8", "m64n184k16", "m64n184k256", "m64n184k32", "m64n184k64", "m64n184k8", "m64n192k16",
    "m64n192k256", "m64n192k32", "m64n192k64", "m64n192k8", "m64n200k16", "m64n200k256", "m64n200k32",
    "m64n200k64", "m64n200k8", "m64n208k16", "m64n208k256", "m64n208k32", "m64n208k64", "m64n208k8", "m64n216k16",
    "m64n216k256", "m64n216k32", "m64n216k64", "m64n216k8", "m64n224k16", "m64n224k256", "m64n224k32",
    "m64n224k64", "m64n224k8", "m64n232k16", "m64n232k256", "m64n232k32", "m64n232k64", "m64n232k8", "m64n240k16",
    "m64n240k256", "m64n240k32", "m64n240k64", "m64n240k8", "m64n248k16", "m64n248k256", "m64n248k32",
    "m64n248k64", "m64n248k8", "m64n24k16", "m64n24k256", "m64n24k32", "m64n24k64", "m64n24k8", "m64n256k16",
    "m64n256k256", "m64n256k32", "m64n256k64", "m64n256k8", "m64n32k16", "m64n32k256", "m64n32k32", "m64n32k64",
    "m64n32k8", "m64n40k16", "m64n40k256", "m64n40k32", "m64n40k64", "m64n40k8", "m64n48k16", "m64n48k256",
    "m64n48k32", "m64n48k64", "m64n48k8", "m64n56k16", "m64n56k256", "m64n56k32", "m64n56k64", "m64n56k8",
    "m64n64k16", "m64n64k256", "m64n64k32", "m64n64k64", "m64n64k8", "m64n72k16", "m64n72k256", "m64n72k32",
    "m64n72k64", "m64n72k8", "m64n80k16", "m64n80k256", "m64n80k32", "m64n80k64", "m64n80k8", "m64n88k16",
    "m64n88k256", "m64n88k32", "m64n88k64", "m64n88k8", "m64n8k16", "m64n8k256", "m64n8k32", "m64n8k64", "m64n8k8",
    "m64n96k16", "m64n96k256", "m64n96k32", "m64n96k64", "m64n96k8", "m8n32k16", "m8n8", "m8n8k128", "m8n8k16",
    "m8n8k32", "m8n8k4", "max", "mbarrier", "mbarrier::complete_tx::bytes", "mbarrier_init", "min", "mma",
    "mma_async", "mmio", "multicast::cluster", "NaN", "nan", "nc", "ne", "neu", "noComplete", "noftz", "noinc",
    "normal", "not", "notanumber", "num", "number", "oob", "or", "p", "pack", "param", "param::entry", "param::func",
    "parity", "pending_count", "po", "popc", "pred", "prefetch", "proxy", "r", "range", "rank", "rc16", "rc8", "read", "red",
    "reduce", "reg", "relaxed", "release", "relu", "replace", "rm", "rmi", "rn", "rna", "rni", "row", "rp", "rpi",
    "rs", "rz",
    "rzi", "s16", "s16x2", "s2", "s32", "s4", "s64", "s8", "samplerref", "sat", "satfinite", "sc", "shared",
    "shared::cluster", "shared::cta", "shiftamt", "shr15", "shr7", "sp",
    "sp::ordered_metadata", "sreg", "store", "subnormal", "surf", "surfref",
    "swizzle_mode", "sync", "sync_restrict::shared::cluster", "sync_restrict::shared::cta",
    "sys", "tensor", "tensormap", "tensormap::generic", "test_wait", "tex", "texref", "tf32", "tile",
    "tile::gather4", "tile::scatter4", "to", "trans", "trap", "try_wait", "u", "u16", "u16x2", "u2", "u32", "u4",
    "u64", "u8", "ue8m0x2", "uni", "up", "v2", "v4", "v8", "volatile", "wait", "wait_all", "wait_group", "warp",
    "wb", "weak", "wide", "wrap", "wt", "x1", "x2", "x4", "xor", "xorsign", "zero",
};
// clang-format on

static_assert(std::size(token_names) == token_count);

/// The text of a token, without its dot.
constexpr std::string_view name(token t) { return token_names[static_cast<std::size_t>(t)]; }

static_assert(name(token::acq_rel) == "acq_rel" && name(token::zero) == "zero");

/// The token spelled `text`, or `token::none`.
inline token to_token(std::string_view text) {
  static const detail::name_index index(token_names);
  return static_cast<token>(index.find(text, 0));
}

}  // namespace tg::ptx
