// What all blocks of one launch share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <tg/emulator/decode/program.hpp>
#include <tg/emulator/image/image.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

namespace tg::emulator {

class memory_traffic;
namespace check { class watch; }

/// Counts of one PTX instruction by one worker.
struct instruction_count {
  std::uint64_t executions = 0, active_lanes = 0, divergent = 0;
  std::uint64_t requests = 0, full_requests = 0, bytes = 0, sectors = 0, lines = 0, wavefronts = 0, copied_bytes = 0;
  std::uint32_t sectors_min = 0xffffffff, sectors_max = 0, wavefronts_min = 0xffffffff, wavefronts_max = 0;
  ptx::token space = ptx::token::none;
};

/// How many neighbouring blocks may run as one: a sample of slot_patterns has four lanes for each.
inline constexpr std::uint32_t most_abreast = 8;
/// Warps of the blocks that run as one, at most.
inline constexpr std::uint32_t most_warps = 64;

struct machine {
  machine(memory& memory, const program& loaded, std::size_t kernel_index, const launch_shape& shape, const options& options,
          const lane_code& lanes)
      : loaded(loaded),
        image(loaded.image()),
        kernel(image.functions[loaded.function_of(kernel_index)]),
        name(loaded.kernels()[kernel_index].name),
        shape(shape),
        options(options),
        lanes(lanes),
        table(memory.table()),
        device(memory),
        threads(static_cast<std::uint32_t>(shape.block.count())),
        warps((threads + 31) / 32),
        shared_static_bytes((kernel.shared_bytes + 15) / 16 * 16),
        shared_bytes(image.uses_reserved_shared
                         ? (shared_static_bytes + shape.dynamic_shared_bytes + 15) / 16 * 16 + reserved_shared_bytes
                         : shared_static_bytes + shape.dynamic_shared_bytes),
        local_bytes(image.local_bytes + (image.uses_stack ? (options.stack_bytes + 15) / 16 * 16 : 0)) {}

  /// What the system keeps for itself at the end of shared memory, for kernels that ask where it is.
  static constexpr std::uint64_t reserved_shared_bytes = 1024;

  /// How often blocks are started: one cluster at a time, or as many blocks of a row of the grid as run as one.
  std::uint64_t starts() const {
    if (abreast == 1) return shape.grid.count() / cluster.count();
    return starts_per_row() * shape.grid.y * shape.grid.z;
  }
  std::uint64_t starts_per_row() const { return (shape.grid.x + abreast - 1) / abreast; }

  /// The part of a warp's lanes that have a thread.
  std::uint32_t lanes_of(std::uint32_t warp) const {
    const std::uint32_t rest = threads - warp * 32;
    return rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
  }

  const program& loaded;
  const detail::image& image;
  const function_image& kernel;
  const std::string& name;
  const launch_shape& shape;
  const emulator::options& options;
  const lane_code& lanes;
  std::shared_ptr<const allocation_table> table;
  memory& device;
  std::uint32_t threads;
  std::uint32_t warps;                // of one block
  std::uint64_t shared_static_bytes;  // dynamic shared memory starts here
  std::uint64_t shared_bytes;
  std::uint64_t local_bytes;  // per thread, its stack included
  dynamic_array<std::byte> params;
  launch_shape::extent cluster{1, 1, 1};  // blocks
  bool is_explicit_cluster = false;
  std::uint32_t abreast = 1;      // neighbours along x that run as one
  std::uint64_t grid_number = 0;  // of launches
  std::uint64_t workspace = 0;    // of a cooperative grid
  bool counts = false;
  check::watch* watch = nullptr;      // none: no checker follows accesses and barriers
  memory_traffic* traffic = nullptr;  // none: what passes between cache and memory is not counted
};

}  // namespace tg::emulator
