// The cost of a kernel: requests, sectors, wavefronts, bytes, operations, barriers; as values to assert on.
//
// They are facts about the PTX that tg emits, added up over the warps of a block, each at its own cost and with all its
// threads in each turn that one of them makes: ptxas may still reorder and unroll. Loops whose count is known are
// multiplied out; the others count one turn and are listed. A branch that coordinates of the thread decide counts for the
// warps that take it. One that data or arguments decide counts as taken by all, both sides of it, and is listed; a gathered
// access counts one sector or wavefront for each lane. `at_least` holds what is left when all of these cost least.
// Units: of a whole launch of `blocks` blocks; a request is one warp's execution of a memory access.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tg/analysis/occupancy.hpp>
#include <tg/analysis/roofline.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_row.hpp>

namespace tg {

using ptx::instruction_class;
using ptx::instruction_classes;

/// What instructions cost together.
struct cost_figures {
  std::uint64_t instructions = 0;  ///< executed by warps
  std::uint64_t global_requests = 0;
  std::uint64_t sectors = 0;       ///< of 32 bytes, each request at the worst base that is permitted
  std::uint64_t sectors_best = 0;  ///< at the best base; of a gathered request one
  std::uint64_t ideal_sectors = 0;
  std::uint64_t shared_requests = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  std::uint64_t bytes = 0;          ///< that lanes ask global memory for
  std::uint64_t flops = 0;          ///< fma counts two
  std::uint64_t multiply_adds = 0;  ///< of matrix instructions
  std::uint64_t barriers = 0;       ///< of blocks

  double sectors_per_request() const { return ratio(sectors, global_requests); }
  double wavefronts_per_request() const { return ratio(wavefronts, shared_requests); }

  cost_figures& operator+=(const cost_figures& other);
  friend bool operator==(const cost_figures&, const cost_figures&) = default;

 private:
  static double ratio(std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }
};

/// The figures by name, in the order in which they are printed and stored.
inline constexpr std::array<std::pair<std::string_view, std::uint64_t cost_figures::*>, 12> cost_figure_names{{
    {"instructions", &cost_figures::instructions},
    {"global_requests", &cost_figures::global_requests},
    {"sectors", &cost_figures::sectors},
    {"sectors_best", &cost_figures::sectors_best},
    {"ideal_sectors", &cost_figures::ideal_sectors},
    {"shared_requests", &cost_figures::shared_requests},
    {"wavefronts", &cost_figures::wavefronts},
    {"ideal_wavefronts", &cost_figures::ideal_wavefronts},
    {"bytes", &cost_figures::bytes},
    {"flops", &cost_figures::flops},
    {"multiply_adds", &cost_figures::multiply_adds},
    {"barriers", &cost_figures::barriers},
}};

inline cost_figures& cost_figures::operator+=(const cost_figures& other) {
  for (const auto& [name, figure] : cost_figure_names) this->*figure += other.*figure;
  return *this;
}

/// A C++ line; `file` is empty where it is not known.
struct source_line {
  std::string file;
  std::uint32_t line = 0;
  friend bool operator==(const source_line&, const source_line&) = default;
};

/// The cost of one C++ line.
struct line_cost : cost_figures {
  source_line where;
  cost_figures at_least;  ///< of these figures, what is sure
};

/// The cost of a launch of a kernel.
struct kernel_cost : cost_figures {
  cost_figures at_least;  ///< what the launch costs whatever its data are; one turn of the uncounted loops that it enters
  std::string name;
  std::uint64_t blocks = 1;
  int block_threads = 0;
  std::int64_t shared_bytes = 0;         ///< declared by each block, without tiles whose size the launch decides
  int sized_tiles = 0;                   ///< how many of these there are
  std::uint32_t live_registers = 0;      ///< most 32-bit registers that hold a value at one place
  std::uint64_t uncounted_accesses = 0;  ///< gathered: what they cost depends on data
  std::uint64_t data_sectors = 0;        ///< of `sectors`, those that gathered accesses save where data are kindest
  std::uint64_t data_wavefronts = 0;     ///< the same of `wavefronts`
  std::array<std::uint64_t, instruction_classes> by_class{};
  dynamic_array<line_cost> lines;              ///< in the order of the source
  dynamic_array<source_line> uncounted_loops;  ///< whose number of turns is known only when they run: one turn counts
  dynamic_array<source_line> open_branches;    ///< that data or arguments decide: all threads count on both sides

  /// Whether each loop is counted and no access depends on data. Where `open_branches` is empty too, the figures are those
  /// of the launch.
  bool is_complete() const { return uncounted_loops.empty() && uncounted_accesses == 0; }
  std::uint64_t of(instruction_class c) const { return by_class[static_cast<std::size_t>(c)]; }
  /// Operations of lanes and matrices.
  double all_flops() const { return static_cast<double>(flops) + 2 * static_cast<double>(multiply_adds); }
  /// Operations per byte of global memory, whole sectors; 0 where none is touched.
  double arithmetic_intensity() const { return sectors_best == 0 ? 0 : all_flops() / (32 * static_cast<double>(sectors_best)); }
  /// Microseconds that the roof leaves it at least, if each byte comes from memory.
  double least_us(const analysis::roofline& roof) const {
    return roof.least_us(all_flops(), 32 * static_cast<double>(sectors_best));
  }
  /// Blocks that share a multiprocessor with `registers` registers per thread.
  analysis::occupancy occupancy_on(const analysis::multiprocessor& m, int registers) const {
    return analysis::find_occupancy(m, {block_threads, registers, shared_bytes});
  }
};

}  // namespace tg
