// The GPUs that a PTX text can be for, and the versions of the language.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/isa_version.hpp>

namespace tg::ptx {

/// What `.target` can name: `sm_90a` is 90 with the suffix 'a'.
struct gpu_target {
  int sm = 0;
  char suffix = '\0';    // 'a': that GPU only; 'f': that family of GPUs
  std::uint8_t isa = 0;  // least version of the language, ×10
};

/// Source: ptxas 13.0, asked for each number, suffix and version.
inline constexpr gpu_target gpu_targets[] = {
    {10, '\0', 10},  {11, '\0', 10},  {12, '\0', 12},  {13, '\0', 12}, {20, '\0', 20},  {21, '\0', 20},  {30, '\0', 30},
    {32, '\0', 40},  {35, '\0', 31},  {37, '\0', 41},  {50, '\0', 40}, {52, '\0', 41},  {53, '\0', 42},  {60, '\0', 50},
    {61, '\0', 50},  {62, '\0', 50},  {70, '\0', 51},  {72, '\0', 61}, {75, '\0', 63},  {80, '\0', 70},  {82, '\0', 62},
    {86, '\0', 71},  {87, '\0', 74},  {88, '\0', 73},  {89, '\0', 78}, {90, '\0', 78},  {90, 'a', 80},   {100, '\0', 86},
    {100, 'a', 86},  {100, 'f', 88},  {101, '\0', 86}, {101, 'a', 86}, {101, 'f', 88},  {103, '\0', 88}, {103, 'a', 88},
    {103, 'f', 88},  {110, '\0', 90}, {110, 'a', 90},  {110, 'f', 90}, {120, '\0', 87}, {120, 'a', 87},  {120, 'f', 88},
    {121, '\0', 88}, {121, 'a', 88},  {121, 'f', 88},
};

/// Null where no GPU has this number and suffix ('\0' for none).
constexpr const gpu_target* find_gpu_target(int sm, char suffix) {
  for (const gpu_target& t : gpu_targets)
    if (t.sm == sm && t.suffix == suffix) return &t;
  return nullptr;
}

/// The newest version of the language that this library knows.
inline constexpr isa_version newest_isa{9, 0};

/// Whether there is such a version, up to the newest. Source: ptxas 13.0, asked for each.
constexpr bool is_isa_version(isa_version v) {
  constexpr int last_minor[] = {-1, 5, 3, 2, 3, 1, 5, 8, 8, 0};  // of each major version
  return v <= newest_isa && v.major >= 1 && v.minor >= 0 && v.minor <= last_minor[v.major];
}

}  // namespace tg::ptx
