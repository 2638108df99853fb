// Where the shared memory of a cluster's blocks lies among the generic addresses.
#pragma once

#include <cstdint>

namespace tg::emulator {

/// The shared memory of rank r begins r times `window_bytes` further. An address in .shared::cluster is less by
/// `shared_window`, as one in .shared is.
inline constexpr std::uint64_t cluster_window = 0x1000'0000;

/// Blocks of a cluster. Source: CUDA C++ Programming Guide, "Thread Block Clusters", non-portable sizes.
inline constexpr std::uint32_t max_cluster_blocks = 16;

}  // namespace tg::emulator
