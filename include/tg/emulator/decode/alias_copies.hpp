// Reads through copies: where a register is written once, by a copy of a constant slot, its readers read that slot, and
// the copy does nothing.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/image.hpp>

namespace tg::emulator {

/// Finds the copies of constants in one kernel, and lets their readers read what was copied.
class copy_aliases {
 public:
  /// `code` is one kernel; jumps into it come only from inside.
  copy_aliases(std::span<operation> code, std::uint32_t slot_end, const lane_code& lanes)
      : code_(code),
        copies_{lanes.find(lane_op::copy, lane_type::u32), lanes.find(lane_op::copy, lane_type::u64)},
        writes_(slot_end),
        means_(slot_end, no_slot) {}

  /// Leaves kernels alone in which slots are used by more than the operations that list them.
  void operator()() {
    for (const operation& o : code_) {
      if (!lists_its_slots(o.act)) return;
      for (std::size_t k = 0; k < o.result_count; ++k) ++writes_[o.slots[k]];
      if (o.guard != no_slot) writes_[o.guard] += 2;
    }
    for (operation& o : code_) {
      for (std::size_t k = o.result_count; k < o.slot_count; ++k) o.slots[k] = root_of(o.slots[k]);
      if (!is_alias(o)) continue;
      means_[o.slots[0]] = o.slots[1];
      o.act = action::nothing;
      o.slot_count = o.result_count = 0;
    }
    for (operation& o : code_)  // readers in front of the copy, in loops
      for (std::size_t k = o.result_count; k < o.slot_count; ++k) o.slots[k] = root_of(o.slots[k]);
  }

 private:
  static bool lists_its_slots(action a) {
    switch (a) {
      case action::begin_call:
      case action::finish_call:
      case action::system_call:
      case action::pick_target:
      case action::alloca:
      case action::asynchronous:
      case action::matrix: return false;
      default: return true;
    }
  }

  std::uint32_t root_of(std::uint32_t slot) const { return means_[slot] == no_slot ? slot : means_[slot]; }

  bool is_alias(const operation& o) const {
    return o.act == action::lanes && o.guard == no_slot && std::ranges::find(copies_, o.run) != copies_.end() &&
           o.slot_bytes[0] == o.slot_bytes[1] && writes_[o.slots[0]] == 1 && writes_[o.slots[1]] == 0;
  }

  std::span<operation> code_;
  std::array<lane_handler, 2> copies_;
  dynamic_array<std::uint32_t> writes_;
  dynamic_array<std::uint32_t> means_;
};

}  // namespace tg::emulator
