// The atomics that random kernels are made of, with what they leave in memory.
#pragma once

#include "operations.hpp"

namespace fuzz {

struct atomic_operation {
  const char* text;
  char register_class;
  int sources;
  u64 (*of)(u64 old, u64 a, u64 b);
};

inline constexpr atomic_operation atomics[] = {
    {"add.u32", 'r', 1, [](u64 old, u64 a, u64) { return old + a; }},
    {"min.s32", 'r', 1, [](u64 old, u64 a, u64) { return smaller<s32>(old, a); }},
    {"max.u32", 'r', 1, [](u64 old, u64 a, u64) { return larger<u32>(old, a); }},
    {"and.b32", 'r', 1, [](u64 old, u64 a, u64) { return old & a; }},
    {"xor.b32", 'r', 1, [](u64 old, u64 a, u64) { return old ^ a; }},
    {"exch.b32", 'r', 1, [](u64, u64 a, u64) { return a; }},
    {"inc.u32", 'r', 1, [](u64 old, u64 a, u64) { return u32(old) >= u32(a) ? 0 : old + 1; }},
    {"dec.u32", 'r', 1, [](u64 old, u64 a, u64) { return u32(old) == 0 || u32(old) > u32(a) ? a : old - 1; }},
    {"cas.b32", 'r', 2, [](u64 old, u64 a, u64 b) { return u32(old) == u32(a) ? b : old; }},
    {"add.u64", 'l', 1, [](u64 old, u64 a, u64) { return old + a; }},
    {"min.u64", 'l', 1, [](u64 old, u64 a, u64) { return smaller<u64>(old, a); }},
    {"max.s64", 'l', 1, [](u64 old, u64 a, u64) { return larger<s64>(old, a); }},
    {"or.b64", 'l', 1, [](u64 old, u64 a, u64) { return old | a; }},
    {"exch.b64", 'l', 1, [](u64, u64 a, u64) { return a; }},
    {"cas.b64", 'l', 2, [](u64 old, u64 a, u64 b) { return old == a ? b : old; }},
};

}  // namespace fuzz
