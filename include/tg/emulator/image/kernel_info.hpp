// What a launch must know of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::emulator {

/// Where one kernel parameter lies in the parameter buffer.
struct parameter {
  std::size_t offset_bytes = 0;
  std::size_t size_bytes = 0;
  std::size_t offset_in_code_bytes = 0;  // where code that ptxas makes for sm_90 expects it: see `parameters_begin`
};

/// Where parameters begin in the constant bank of code for sm_90. ptxas aligns a parameter in the bank, not in the buffer, so
/// that one aligned to 64 bytes behind a number of 4 bytes lies at byte 48 or 112 of the buffer.
/// Source: EIATTR_PARAM_CBANK and EIATTR_KPARAM_INFO in cubins of ptxas 13.0, and an H100, which runs them so.
inline constexpr std::size_t parameters_begin = 0x210;

/// Signature and needs of one kernel of a program.
struct kernel_info {
  std::string name;
  dynamic_array<parameter> parameters;
  std::size_t parameter_bytes = 0;
  std::size_t parameter_bytes_in_code = 0;
  std::size_t static_shared_bytes = 0;
  std::size_t local_bytes = 0;                       // per thread
  std::uint32_t register_count = 0;                  // 32-bit registers per thread, an estimate
  fixed_array<std::uint32_t, 3> max_threads{};       // .maxntid; 0: not given
  fixed_array<std::uint32_t, 3> required_threads{};  // .reqntid; 0: not given
  fixed_array<std::uint32_t, 3> cluster{};           // .reqnctapercluster; 0: not given
  std::uint32_t max_cluster_rank = 0;                // .maxclusterrank; 0: not given
  bool needs_cluster = false;                        // .explicitcluster
};

/// A global or constant variable of a program.
struct symbol {
  std::uint64_t address = 0;
  std::size_t size_bytes = 0;
};

}  // namespace tg::emulator
