// Memory in which the blocks that share a row leave their parts: one for each stream, whose launches follow each other.
#pragma once

#include <cstddef>

#include <tg/runtime/context.hpp>

namespace tg::detail {

/// Addresses: parts of reductions, of any contents; tickets and words of scans, which are 0 before a launch and after it.
struct split_memory { driver::device_address parts = 0, tickets = 0, words = 0; };

/// The memory of a stream, with so many words of 64 bits for scans at least. It goes with the context.
split_memory split_memory_of(runtime::context& device, driver::stream_handle stream, std::size_t words);

}  // namespace tg::detail
