// Memory in which the blocks that share a row leave their parts: one for each stream, whose launches follow each other.
#pragma once

#include <utility>

#include <tg/runtime/context.hpp>

namespace tg::detail {

/// Where parts and tickets are; tickets are 0. It goes with the context.
std::pair<driver::device_address, driver::device_address> split_memory_of(runtime::context& device,
                                                                          driver::stream_handle stream);

}  // namespace tg::detail
