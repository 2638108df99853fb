// Which tile a byte of shared memory is in, and how large the tile is. Tiles in dynamic shared memory are parts of one
// variable, the last one of the module: those of fixed size in their order, then those whose size the launch decides
// (shared_tile.hpp).
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/form.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::proof {

/// All tiles of a kernel. A variable of its own has the variable's number; parts of the last variable count on from it.
class tiles {
 public:
  /// Requires: the module outlives this.
  explicit tiles(const ptx::module& m) {
    for (const ptx::variable& v : m.variables) {
      if (!v.external) {
        all_.push_back({0, v.count, v.align});
        continue;
      }
      first_part_ = static_cast<std::uint32_t>(all_.size());
      number end = 0;
      int sized = 0;
      for (const ptx::shared_tile& t : m.tiles) {
        if (ptx::is_fixed(t)) {
          all_.push_back({end, t.element_bytes, v.align});
          end += ptx::aligned_tile_bytes(t.element_bytes);
        } else {
          sized_ = sized++ == 0 ? &t : nullptr;
        }
      }
      all_.push_back({end, 0, v.align});  // all tiles whose sizes the launch decides
    }
  }

  /// The tile in which byte `offset` of a variable lies. `offset` becomes that in the tile.
  std::uint32_t at(std::uint32_t variable, number& offset) const {
    if (variable != first_part_) return variable;
    std::uint32_t out = variable;
    while (out + 1 < all_.size() && offset >= all_[out + 1].begin) ++out;
    offset -= all_[out].begin;
    return out;
  }

  /// Bytes of a tile; 0 or less where the launch decides them.
  number bytes(std::uint32_t tile) const { return all_[tile].bytes; }

  /// Whether a tile begins at a multiple of `bytes`, a power of two.
  bool is_aligned(std::uint32_t tile, number bytes) const {
    return all_[tile].align >= static_cast<std::uint32_t>(bytes) && all_[tile].begin % bytes == 0;
  }

  /// The only tile whose size the launch decides; null where there is none, or several, of which it is not known which is
  /// meant.
  const ptx::shared_tile* sized() const { return sized_; }

 private:
  struct tile {
    number begin = 0;  // in the variable
    number bytes = 0;
    std::uint32_t align = 1;  // of the variable
  };

  dynamic_array<tile> all_;
  const ptx::shared_tile* sized_ = nullptr;
  std::uint32_t first_part_ = ~0u;
};

}  // namespace tg::proof
