// Moves and conversions.
#pragma once

#include <tg/ptx/forms/form_row.hpp>

namespace tg::ptx::forms {

using enum opcode;

inline constexpr form_row conversion[] = {
    {mov, ".{BITS|INT|f32|f64}", "D,m"},
    {mov, ".pred", "p,m"},
    {mov, ".b128", "D,m", 70, 83},
    {cvta, "[.to].{local|global|const|shared}.u64", "d,m"},
    {cvta, "[.to].param.u64", "d,m", 70, 77},
    {cvta, "[.to].{shared::cta|shared::cluster}.u64", "d,m", 90, 78},
    {isspacep, ".{const|global|local|shared}", "p,a:b64"},
    {isspacep, ".param", "p,a:b64", 70, 77},
    {isspacep, ".param::entry", "p,a:b64", 70, 83},
    {isspacep, ".{shared::cta|shared::cluster}", "p,a:b64", 90, 78},

    // integers; .sat where the destination cannot hold every value of the source
    {cvt, ".{INT8}.{INT8}", "d+:U,a+"},
    {cvt, ".sat.u8.{s8|u16|s16|u32|s32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.s8.{u8|u16|s16|u32|s32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.u16.{s8|s16|u32|s32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.s16.{u16|u32|s32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.u32.{s8|s16|s32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.s32.{u32|u64|s64}", "d+:U,a+"},
    {cvt, ".sat.u64.{s8|s16|s32|s64}", "d+:U,a+"},
    {cvt, ".sat.s64.u64", "d+:U,a+"},
    {cvt, ".pack.sat.{u16|s16}.s32", "d:b32,a,b", 72, 65},
    {cvt, ".pack.sat.{u2|s2|u4|s4}.s32.b32", "d:b32,a:s32,b:s32,c:b32", 75, 65},
    {cvt, ".pack.sat.{u8|s8}.s32.b32", "d:b32,a:s32,b:s32,c:b32", 72, 65},

    // floating point to integer
    {cvt, ".{RNI}[.sat].{INT8}.{f16|f64}", "d+:U,a"},
    {cvt, ".{RNI}[.ftz][.sat].{INT8}.f32", "d+:U,a"},
    {cvt, ".{RNI}.{INT}.bf16", "d+:U,a", 90, 78},

    // integer to floating point
    {cvt, ".{RND}[.sat].{f16|f64}.{INT8}", "d:U,a+"},
    {cvt, ".{RND}[.ftz][.sat].f32.{INT8}", "d:U,a+"},
    {cvt, ".{RND}.bf16.{INT}", "d:U,a+", 90, 78},

    // floating point
    {cvt, "[.{RNI}][.sat].f16.f16", "d:U,a"},
    {cvt, "[.{RNI}][.ftz][.sat].f32.f32", "d:U,a"},
    {cvt, "[.{RNI}][.sat].f64.f64", "d:U,a"},
    {cvt, "[.{RNI}].bf16.bf16", "d:U,a", 90, 78},
    {cvt, "[.ftz][.sat].f32.f16", "d:U,a"},
    {cvt, "[.ftz][.sat].f64.f32", "d:U,a"},
    {cvt, "[.sat].f64.f16", "d:U,a"},
    {cvt, "[.{RND}].f32.bf16", "d:U,a", 80, 71},
    {cvt, "[.{RND}].ftz.f32.bf16", "d:U,a", 90, 78},
    {cvt, "[.{RND}].f64.bf16", "d:U,a", 90, 78},
    {cvt, ".{RND}[.ftz][.sat].f16.f32", "d:U,a"},
    {cvt, ".{RND}[.sat].f16.f64", "d:U,a"},
    {cvt, ".{RND}[.ftz][.sat].f32.f64", "d:U,a"},
    {cvt, ".{RND}[.ftz].bf16.f32", "d:U,a", 80, 70},
    {cvt, ".{RND}.bf16.f64", "d:U,a", 90, 78},
    {cvt, "[.{RND}].f16.bf16", "d:U,a", 90, 78},
    {cvt, "[.{RND}].bf16.f16", "d:U,a", 90, 78},
    {cvt, ".{rn|rz}.relu.{f16|bf16}.f32", "d:U,a", 80, 70},
    {cvt, ".{rn|rz}[.relu].satfinite.{f16|bf16}.f32", "d:U,a", 80, 81},
    {cvt, ".{rn|rz}[.relu].{f16x2|bf16x2}.f32", "d:b32,a,b", 80, 70},
    {cvt, ".{rn|rz}[.relu].satfinite.{f16x2|bf16x2}.f32", "d:b32,a,b", 80, 81},
    {cvt, ".rna.tf32.f32", "d:b32,a", 80, 70},
    {cvt, ".rna.satfinite.tf32.f32", "d:b32,a", 80, 81},
    {cvt, ".{rn|rz}[.relu].tf32.f32", "d:b32,a", 90, 78},
    {cvt, ".rn.satfinite[.relu].{e4m3x2|e5m2x2}.f32", "d:b16,a,b", 89, 81},
    {cvt, ".rn.satfinite[.relu].{e4m3x2|e5m2x2}.f16x2", "d:b16,a", 89, 81},
    {cvt, ".rn[.relu].f16x2.{e4m3x2|e5m2x2}", "d:b32,a:b16", 89, 81},
};

}  // namespace tg::ptx::forms
