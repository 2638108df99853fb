// What is loaded for a kernel: PTX text, and machine code where somebody made it beforehand.
#pragma once

#include <cstdint>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/block_limits.hpp>
#include <tg/ptx/ir/isa_version.hpp>

namespace tg::runtime {

/// A kernel compiled for devices of one architecture.
struct machine_code {
  int sm = 0;
  std::string image;
};

/// PTX text, what it asks of driver and device, and what making it cost.
struct kernel_source {
  std::string ptx;
  ptx::isa_version version;
  int sm = 0;
  double make_us = 0;         // tracing, lowering and printing
  char target_suffix = '\0';  // 'a' of sm_90a
  dynamic_array<machine_code> code = {};
  ptx::block_limits most_blocks = ptx::no_block_limits;  // that the kernel's 32-bit arithmetic reaches
  std::uint32_t more_threads = 0;                        // of a block along x, behind those that the kernel's body sees
};

}  // namespace tg::runtime
