// How long a launch is expected to take, from its text and its parameters alone: what a choice among kernels that do the same
// rests on where nobody has measured.
//
// A model of rates, not of a machine: each multiprocessor is busy as long as its busiest unit, that with the most blocks
// decides, and a tenth of what the other units do does not overlap. The order of kernels that do the same is what it is for;
// its microseconds are none that a GPU has said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tg/analysis/device_table.hpp>
#include <tg/analysis/occupancy.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/cost/kernel_cost.hpp>
#include <tg/dsl/cost/unit_cycles.hpp>
#include <tg/dsl/proof/analyze.hpp>

namespace tg {

/// What is expected of one launch on one GPU.
struct prediction {
  kernel_cost cost;
  analysis::occupancy occupancy;
  int registers = 0;  ///< of a thread, as ptxas is expected to give it
  bool spills = false;
  int least_sm = 0;  ///< that the text asks for
  bool is_for_one_sm = false;
  unit_cycles busy;  ///< of the multiprocessor that gets the most blocks
  double us = 0;

  /// Whether a device of sm_`sm` can run it.
  bool runs_on(int sm) const { return occupancy.blocks > 0 && (is_for_one_sm ? sm == least_sm : sm >= least_sm); }
};

namespace detail {
prediction predict(const recordable& kernel, const dynamic_array<proof::parameter_fact>& facts,
                   const analysis::device_figures& on, std::uint64_t blocks, std::span<const std::byte> parameters,
                   std::int64_t more_shared_bytes);
}

/// Predicts a launch of `blocks` blocks. `parameters`: those of the launch as they lie in memory, whose scalars and strides
/// make loops countable; without them a loop up to an argument counts one turn. `more_shared_bytes`: dynamic shared memory that
/// the kernel does not declare. Cost: a few milliseconds.
template <recordable_kernel K>
prediction predict(const K& kernel, const analysis::device_figures& on, std::uint64_t blocks,
                   std::span<const std::byte> parameters = {}, std::int64_t more_shared_bytes = 0) {
  return detail::predict(detail::to_recordable(kernel), detail::facts_of(kernel), on, blocks, parameters, more_shared_bytes);
}

}  // namespace tg
