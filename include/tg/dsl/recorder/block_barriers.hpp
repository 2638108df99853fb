// Barriers of a whole block, which statements of some of its warps must not have.
#pragma once

#include <cstddef>

namespace tg::detail {

/// How many instructions are recorded.
std::size_t count_recorded();
/// Errors: TG199 for a barrier or a vote of the whole block behind the first `begin` instructions.
void refuse_block_barriers(std::size_t begin);

}  // namespace tg::detail
