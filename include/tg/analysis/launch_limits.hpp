// The largest launch that every GPU takes: threads of a block, blocks of a grid, registers, declared shared memory.
#pragma once

namespace tg::analysis {

/// Limits of a launch: the same since compute capability 7.0. Source: CUDA C++ Programming Guide, "Technical Specifications per
/// Compute Capability".
inline constexpr int max_block_threads = 1024;  ///< together, and along x and y
inline constexpr int max_block_z = 64;          ///< threads of a block along z
inline constexpr int max_grid_x = 0x7fffffff;   ///< blocks along x
inline constexpr int max_grid_yz = 65535;       ///< blocks along y and z
/// 32-bit registers that one thread can have.
inline constexpr int max_thread_registers = 255;
inline constexpr int max_static_shared_bytes = 48 << 10;  ///< that a kernel may declare; more is asked for at launch

}  // namespace tg::analysis
