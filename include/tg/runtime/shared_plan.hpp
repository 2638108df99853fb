// How much dynamic shared memory the launches of a kernel ask for: what its tiles need.
#pragma once

#include <cstdint>
#include <tg/base/dynamic_array.hpp>

#include <tg/ptx/ir/shared_tile.hpp>

namespace tg::runtime {

/// The tiles of a kernel in dynamic shared memory.
struct shared_plan {
  std::uint32_t fixed_bytes = 0;      // of the tiles that are the same in every launch
  std::uint32_t most_bytes = 0;       // what a block can have for all of them
  bool depends_on_arguments = false;  // others have sizes that the arguments decide
  dynamic_array<ptx::shared_tile> tiles;
  dynamic_array<ptx::launch_argument> arguments;  // where they lie in the packed parameters
};

}  // namespace tg::runtime
