// What is known about one memory access of a kernel before it runs.
#pragma once

#include <cstdint>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/source_location.hpp>
#include <tg/base/static_text.hpp>
#include <tg/ptx/ir/operand.hpp>

namespace tg {

/// How an access was judged.
enum class verdict : std::uint8_t {
  proved,   // by the C++ compiler: good
  allowed,  // bad, and excused with a reason
  traced,   // good, judged when the kernel was recorded because its type does not say enough
  gather,   // data-dependent, and said so
};

/// What one warp's request adds to the cost of an access to global memory.
struct global_share {
  std::uint8_t sectors = 0, sectors_best = 0, ideal_sectors = 0;
  bool clamped = false;  // lanes at a bound may cost less

  friend constexpr bool operator==(const global_share&, const global_share&) = default;
};

/// What one warp's request adds to the cost of an access to shared memory.
struct shared_share {
  std::uint8_t wavefronts = 0, ideal_wavefronts = 0;
  bool exact = true;  // never less

  friend constexpr bool operator==(const shared_share&, const shared_share&) = default;
};

// A lane's access of at most 32 bytes lies in at most two sectors and asks a bank for at most two words.
/// The part of a cost that is added up over the warps of a block.
constexpr global_share to_share(const analysis::global_cost& c) {
  return {static_cast<std::uint8_t>(c.sectors), static_cast<std::uint8_t>(c.sectors_best),
          static_cast<std::uint8_t>(c.ideal_sectors), c.clamped};
}
constexpr shared_share to_share(const analysis::shared_cost& c) {
  return {static_cast<std::uint8_t>(c.wavefronts), static_cast<std::uint8_t>(c.ideal_wavefronts), c.exact};
}

/// One load, store or atomic of the kernel, in the order of the program text.
struct access {
  source_location where = {};
  bool is_shared = false;
  bool is_write = false;
  tg::verdict verdict = tg::verdict::proved;
  int element_bytes = 0;
  int access_bytes = 0;            // per lane: element_bytes × vector width, or what is moved of a struct
  int offset_bytes = 0;            // from where on in a struct
  analysis::global_cost global{};  // of the worst warp, when global and not gathered: what a finding is about
  analysis::shared_cost shared{};  // of the worst warp, when shared and not gathered
  fixed_array<global_share, analysis::max_block_warps> global_of_warp{};  // what adds up over the warps of the block
  fixed_array<shared_share, analysis::max_block_warps> shared_of_warp{};
  static_text reason = {};       // of `allow`
  std::uint32_t open = 0;        // while it is recorded: which judgement is made when the recording ends; 0: none
  std::uint32_t open_write = 0;  // of a copy: that on what it writes to shared memory
  int parameter = -1;            // number of the view among the kernel's parameters; -1: a shared tile
};

}  // namespace tg
