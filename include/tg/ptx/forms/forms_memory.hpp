// Loads, stores, atomics, cache hints.
#pragma once

#include <tg/ptx/forms/form_row.hpp>

namespace tg::ptx::forms {

using enum opcode;

inline constexpr form_row memory[] = {
    {ld, "[.weak].{local|const|param|param::entry|param::func|SHARED}[.{ca|cg|cs|lu|cv}][.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, "[.weak][.global][.{ca|cg|cs|lu|cv}][.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, "[.weak].global.{EVICT}[.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, ".global[.{ca|cg|cs|EVICT}].nc[.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, ".volatile.{SHARED}[.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, ".volatile[.global][.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a]"},
    {ld, ".{relaxed|acquire}.{SCOPE}.{SHARED}[.{v2|v4}].{MEM}", "d+*,[a]", 70},
    {ld, ".{relaxed|acquire}.{SCOPE}[.global][.{EVICT}][.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a]", 70},
    {ld, ".mmio.relaxed.sys[.global].{MEM}", "d+,[a]", 70, 82},
    {ldu, "[.global][.{v2|v4}].{MEM}", "d+*,[a]"},
    {st, "[.weak].{local|param|param::func|SHARED}[.{wb|cg|cs|wt}][.{v2|v4}].{MEM}", "[a],b+*"},
    {st, "[.weak][.global][.{wb|cg|cs|wt}][.{v2|v4}].{MEM}", "[a],b+*"},
    {st, "[.weak].global.{EVICT}[.{v2|v4}].{MEM}", "[a],b+*"},
    {st, ".volatile[.{SHARED|global}][.{v2|v4}].{MEM}", "[a],b+*"},
    {st, ".{relaxed|release}.{SCOPE}.{SHARED}[.{v2|v4}].{MEM}", "[a],b+*", 70},
    {st, ".{relaxed|release}.{SCOPE}[.global][.{EVICT}][.{v2|v4}].{MEM}", "[a],b+*", 70},
    {st, ".mmio.relaxed.sys[.global].{MEM}", "[a],b+", 70, 82},

    {atom,
     "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].add"
     ".{u32|s32|u64|f32|f64}",
     "d_,[a],b"},
    {atom,
     "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].{min|max}"
     ".{u32|s32|u64|s64}",
     "d_,[a],b"},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].{inc|dec}.u32", "d_,[a],b"},
    {atom,
     "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].{and|or|xor|exch}"
     ".{b32|b64}",
     "d_,[a],b"},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].cas.{b32|b64}", "d_,[a],b,c"},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].cas.b16", "d_,[a],b,c", 70, 63},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].exch.b128", "d_,[a],b", 90, 83},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].cas.b128", "d_,[a],b,c", 90, 83},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].add.noftz.f16x2", "d_,[a],b", 60, 62},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].add.noftz.f16", "d_,[a],b", 70, 63},
    {atom,
     "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.{SHARED|global}].add.noftz"
     ".{bf16|bf16x2}",
     "d_,[a],b", 90, 78},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}].global.add.{v2|v4}.f32", "d_*,[a],b*", 90, 81},

    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].add.{u32|s32|u64|f32|f64}", "[a],b"},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].{min|max}.{u32|s32|u64|s64}", "[a],b"},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].{inc|dec}.u32", "[a],b"},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].{and|or|xor}.{b32|b64}", "[a],b"},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].add.noftz.f16x2", "[a],b", 60, 62},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].add.noftz.f16", "[a],b", 70, 63},
    {red, "[.{relaxed|release}][.{SCOPE}][.{SHARED|global}].add.noftz.{bf16|bf16x2}", "[a],b", 90, 78},
    {red, "[.{relaxed|release}][.{SCOPE}].global.add.{v2|v4}.f32", "[a],b*", 90, 81},

    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.global].{add|min|max}.noftz.{v2|v4|v8}.{f16|bf16}", "d_*,[a],b*",
     90, 81},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.global].{add|min|max}.noftz.{v2|v4}.{f16x2|bf16x2}", "d_*,[a],b*",
     90, 81},
    {red, "[.{relaxed|release}][.{SCOPE}][.global].{add|min|max}.noftz.{v2|v4|v8}.{f16|bf16}", "[a],b*", 90, 81},
    {red, "[.{relaxed|release}][.{SCOPE}][.global].{add|min|max}.noftz.{v2|v4}.{f16x2|bf16x2}", "[a],b*", 90, 81},

    // with a cache policy
    {ld, "[.weak][.global][.{ca|cg|cs|lu|cv|EVICT}].L2::cache_hint[.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a],c:b64", 80, 74},
    {ld, ".global[.{ca|cg|cs|EVICT}].nc.L2::cache_hint[.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a],c:b64", 80, 74},
    {ld, ".{relaxed|acquire}.{SCOPE}[.global][.{EVICT}].L2::cache_hint[.{FETCH}][.{v2|v4}].{MEM}", "d+*,[a],c:b64", 80, 74},
    {st, "[.weak][.global][.{wb|cg|cs|wt|EVICT}].L2::cache_hint[.{v2|v4}].{MEM}", "[a],b+*,c:b64", 80, 74},
    {st, ".{relaxed|release}.{SCOPE}[.global][.{EVICT}].L2::cache_hint[.{v2|v4}].{MEM}", "[a],b+*,c:b64", 80, 74},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.global].add.L2::cache_hint.{u32|s32|u64|f32|f64}", "d_,[a],b,c:b64",
     80, 74},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.global].{min|max}.L2::cache_hint.{u32|s32|u64|s64}",
     "d_,[a],b,c:b64", 80, 74},
    {atom, "[.{relaxed|acquire|release|acq_rel}][.{SCOPE}][.global].{and|or|xor|exch}.L2::cache_hint.{b32|b64}",
     "d_,[a],b,c:b64", 80, 74},
    {red, "[.{relaxed|release}][.{SCOPE}][.global].add.L2::cache_hint.{u32|s32|u64|f32|f64}", "[a],b,c:b64", 80, 74},
    {red, "[.{relaxed|release}][.{SCOPE}][.global].{min|max}.L2::cache_hint.{u32|s32|u64|s64}", "[a],b,c:b64", 80, 74},
    {red, "[.{relaxed|release}][.{SCOPE}][.global].{and|or|xor}.L2::cache_hint.{b32|b64}", "[a],b,c:b64", 80, 74},
    {createpolicy,
     ".fractional.{L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged}"
     "[.{L2::evict_first|L2::evict_unchanged}].b64",
     "d[,a:f32]", 80, 74},
    {createpolicy,
     ".range[.global].{L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged}"
     "[.{L2::evict_first|L2::evict_unchanged}].b64",
     "d,[a],b:u32,c:u32", 80, 74},
    {createpolicy, ".cvt.L2.b64", "d,a", 80, 74},

    {prefetch, "[.{local|global}].{L1|L2}", "[a]"},
    {prefetch, ".global.{L2::evict_last|L2::evict_normal}", "[a]", 80, 74},
    {prefetchu, ".L1", "[a]"},
    {applypriority, "[.global].L2::evict_normal", "[a],i", 80, 74},
    {discard, "[.global].L2", "[a],i", 80, 74},
    {alloca, ".{u32|u64}", "d,a[,i]", 52, 73},
    {stacksave, ".{u32|u64}", "d", 52, 73},
    {stackrestore, ".{u32|u64}", "a", 52, 73},
};

}  // namespace tg::ptx::forms
