// The lane code of each vector unit, and the choice among them.
#pragma once

#include <tg/emulator/lanes/vector_unit.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tg/base/config.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

namespace tg::emulator::baseline {
#include <tg/emulator/lanes/find.hpp>
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt,popcnt")
#endif
namespace tg::emulator::avx2 {
#include <tg/emulator/lanes/find.hpp>
}
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,bmi,bmi2,lzcnt,popcnt,prefer-vector-width=512")
#endif
namespace tg::emulator::avx512 {
#include <tg/emulator/lanes/find.hpp>
}
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

TG_LIBRARY_FUNCTION tg::emulator::lane_code tg::emulator::find_lane_code([[maybe_unused]] std::string_view name) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  if (has_avx512 && (name.empty() || name == "avx512")) return avx512::make_code("avx512");
  if (has_avx2 && name != "baseline") return avx2::make_code("avx2");
#endif
  return baseline::make_code("baseline");
}
