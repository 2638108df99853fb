// One access to memory as the proof sees it: where, by whom, under which conditions, ordered with what.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tg/dsl/proof/path.hpp>

namespace tg::proof {

/// A tile, or the buffer of a view.
struct object {
  bool is_shared = false;
  std::uint32_t id = 0;  // variable of the module, or parameter of the function
  friend bool operator==(const object&, const object&) = default;
};

/// What an instruction does to memory.
struct use {
  std::uint32_t instruction = 0;
  object where;
  form offset = {};  // bytes from where the object begins
  number bytes = 0;
  number row_unit = 4;  // bytes of one element
  bool reads = false;
  bool writes = false;
  bool is_atomic = false;        // cannot race with others that are, in the same block
  bool is_block_atomic = false;  // nor with those in other blocks, unless this holds
  path way = {};
};

/// Threads that have waited for each other.
struct meeting {
  threads who;
  bool is_warp = false;  // only those of the same warp

  bool orders(std::size_t s, std::size_t t) const { return who[s] && who[t] && (!is_warp || s / 32 == t / 32); }
};

/// A use that later ones may meet.
struct live_use {
  std::uint32_t use = 0;
  std::vector<meeting> meetings = {};
  bool is_maybe_ordered = false;    // by something that is not followed: a fence, a lock, a wait
  bool is_pending = false;          // an asynchronous copy that nobody has waited for
  bool is_behind = false;           // a barrier of the block came after it
  std::uint32_t group = 0;          // of asynchronous copies; 0: not committed
  std::vector<literal> since = {};  // what must hold for it to be still unordered

  bool is_ordered(std::size_t s, std::size_t t) const {
    for (const meeting& m : meetings)
      if (m.orders(s, t)) return true;
    return false;
  }
};

}  // namespace tg::proof
