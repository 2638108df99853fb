// What a launch did, per PTX instruction: the numbers a profiler shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg::emulator {

/// Totals of one PTX instruction over a launch. A request is one warp's execution of a memory access by at least one
/// lane. A cp.async makes one to global memory and one to shared memory, and is full where each lane reads all it may.
struct instruction_counters {
  std::string function;
  std::uint32_t index = 0;            // in `ptx::function::body`
  std::uint32_t ptx_line = 0;         // of the text; 0: not known
  std::uint32_t access = 0xffffffff;  // `ptx::instruction::access`
  std::string file;                   // C++ file of .loc; empty: not known
  std::uint32_t line = 0;             // C++ line of .loc
  ptx::opcode op = ptx::opcode::none;
  ptx::token space = ptx::token::none;  // of a memory access: where the lanes really went
  ptx::token type = ptx::token::none;

  std::uint64_t executions = 0;    // warps
  std::uint64_t active_lanes = 0;  // summed over executions
  std::uint64_t divergent = 0;     // branches that split a warp

  std::uint64_t requests = 0;
  std::uint64_t full_requests = 0;  // every lane that exists in the warp took part
  std::uint64_t bytes = 0;          // that lanes asked for
  std::uint64_t sectors = 0;        // global memory
  std::uint64_t lines = 0;
  std::uint32_t full_sectors_min = 0;  // over full requests
  std::uint32_t full_sectors_max = 0;
  std::uint64_t wavefronts = 0;  // shared memory
  std::uint32_t full_wavefronts_min = 0;
  std::uint32_t full_wavefronts_max = 0;
  std::uint64_t copied_bytes = 0;  // that cp.async writes to shared memory, zeros included

  std::uint64_t flops = 0;                    // fma counts two; without those of matrix instructions
  std::uint64_t multiply_adds = 0;            // of matrix instructions; those that sparsity skips are left out
  ptx::token matrix_type = ptx::token::none;  // of a matrix instruction: the type of its first factor

  friend bool operator==(const instruction_counters&, const instruction_counters&) = default;
};

/// Counters of one launch, or of several added up by passing the same object again.
struct counters {
  dynamic_array<instruction_counters> instructions;  // in program order, kernels first to last
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t barriers = 0;           // completed, over all blocks
  std::uint64_t memory_read_bytes = 0;  // between memory and the cache of `options::cache_bytes`; 0 without one
  std::uint64_t memory_written_bytes = 0;
  std::uint64_t memory_least_bytes = 0;  // of both, if that cache lost nothing
  std::uint64_t flops_f16 = 0;
  std::uint64_t flops_f32 = 0;  // fma counts two
  std::uint64_t flops_f64 = 0;
  std::map<ptx::token, std::uint64_t> multiply_adds;  // of matrix instructions, by the type of the first factor

  /// Adds another launch of the same program.
  counters& operator+=(const counters& other);

  friend bool operator==(const counters&, const counters&) = default;
};

inline counters& counters::operator+=(const counters& other) {
  for (std::size_t k = 0; k < instructions.size() && k < other.instructions.size(); ++k) {
    instruction_counters& a = instructions[k];
    const instruction_counters& b = other.instructions[k];
    const auto extend = [&](std::uint32_t& low, std::uint32_t& high, std::uint32_t other_low, std::uint32_t other_high) {
      if (b.full_requests == 0) return;
      low = a.full_requests == 0 ? other_low : std::min(low, other_low);
      high = std::max(high, other_high);
    };
    extend(a.full_sectors_min, a.full_sectors_max, b.full_sectors_min, b.full_sectors_max);
    extend(a.full_wavefronts_min, a.full_wavefronts_max, b.full_wavefronts_min, b.full_wavefronts_max);
    if (b.space != ptx::token::none) a.space = b.space;
    if (b.matrix_type != ptx::token::none) a.matrix_type = b.matrix_type;
    for (const auto member :
         {&instruction_counters::executions, &instruction_counters::active_lanes, &instruction_counters::divergent,
          &instruction_counters::requests, &instruction_counters::full_requests, &instruction_counters::bytes,
          &instruction_counters::sectors, &instruction_counters::lines, &instruction_counters::wavefronts,
          &instruction_counters::copied_bytes, &instruction_counters::flops, &instruction_counters::multiply_adds})
      a.*member += b.*member;
  }
  for (const auto member : {&counters::warp_instructions, &counters::thread_instructions, &counters::barriers,
                            &counters::memory_read_bytes, &counters::memory_written_bytes, &counters::memory_least_bytes,
                            &counters::flops_f16, &counters::flops_f32, &counters::flops_f64})
    this->*member += other.*member;
  for (const auto& [type, count] : other.multiply_adds) multiply_adds[type] += count;
  return *this;
}

/// The counters of all launches of one kernel, added up.
struct kernel_counters {
  std::string name;
  std::uint64_t launches = 0;
  counters sum;
};

}  // namespace tg::emulator
