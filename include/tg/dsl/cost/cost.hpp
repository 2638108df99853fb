// What a kernel costs before it runs: `tg::cost(kernel).sectors_per_request()`.
#pragma once

#include <cstdint>

#include <tg/dsl/cost/kernel_cost.hpp>
#include <tg/dsl/kernel/lower.hpp>

namespace tg {

namespace detail { kernel_cost cost_of(const lowered_kernel& kernel, analysis::block_extent block, std::uint64_t blocks); }

/// The cost of a launch of `blocks` full blocks: at most, and at least.
template <recordable_kernel K> kernel_cost cost(const K& kernel, std::uint64_t blocks = 1) {
  return detail::cost_of(lower(kernel), detail::to_recordable(kernel).launched(), blocks);
}

}  // namespace tg
