// What the blocks of a grid do to buffers, compared with each other along each axis.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/compare.hpp>
#include <tg/dsl/proof/drawn_numbers.hpp>
#include <tg/dsl/proof/ledger.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Compares all uses of buffers by a kernel.
class between_blocks {
 public:
  between_blocks(const dynamic_array<use>& uses, const comparison& compare, const drawn_numbers& draws, ledger& l)
      : uses_(uses), compare_(compare), draws_(draws), ledger_(l) {}

  /// `is_read[axis]`: the kernel looks at the blocks along it, so it is meant for many. `has_doubts`: what is not followed may
  /// order blocks, so that nothing is refuted.
  void ask(const fixed_array<bool, 3>& is_read, bool has_doubts) {
    std::set<std::uint32_t> written;
    for (const use& u : uses_) {
      if (u.where.is_shared) continue;
      if (u.writes) written.insert(u.where.id);
      has_atomics_ = has_atomics_ || (u.is_atomic && u.reads && u.writes);
    }
    dynamic_array<const use*> global;
    for (const use& u : uses_) {
      if (u.where.is_shared || !written.contains(u.where.id)) continue;
      ledger_.ask(question::global_race, u.instruction, u.where);
      const bool is_known = std::any_of(global.begin(), global.end(), [&](const use* other) {
        return other->instruction == u.instruction && other->offset == u.offset && other->way.may == u.way.may;
      });
      if (!is_known) global.push_back(&u);
    }
    for (std::size_t k = 0; k < global.size(); ++k) {
      asked own{ledger_.ask(question::global_race, global[k]->instruction, global[k]->where),
                !has_doubts && ledger_.seeks(question::global_race, global[k]->instruction)};
      for (std::size_t n = 0; n <= k; ++n) compare_blocks(*global[n], *global[k], is_read, own);
    }
  }

 private:
  // What is asked about one instruction, looked up once for all pairs.
  struct asked {
    finding& found;
    bool seeks_example;
  };

  void compare_blocks(const use& a, const use& b, const fixed_array<bool, 3>& is_read, asked& own) {
    const bool are_atomic = a.is_atomic && b.is_atomic && !a.is_block_atomic && !b.is_block_atomic;
    if (a.where != b.where || (!a.writes && !b.writes) || are_atomic) return;
    for (int axis = 0; axis < 3; ++axis) {
      if (!ledger::is_worse(answer::refuted, own.found.answer)) return;
      const bool is_meant = is_read[static_cast<std::size_t>(axis)];
      // Blocks that differ along an axis that nobody looks at do the same: what one writes, so does the other.
      if (!is_meant && (axis != 0 || !has_atomics_)) {
        own.found.assumed.set_one_block(axis);
        continue;
      }
      const bool seeks_example = is_meant && own.seeks_example && fruitless_ < ledger::most_fruitless;
      // Without an example the answer is unknown at worst.
      if (!ledger::is_worse(seeks_example ? answer::refuted : answer::unknown, own.found.answer)) continue;
      if (draws_.are_ordered(uses_, a, b, axis)) continue;
      const encounter e = compare_.between_blocks(a, b, axis, seeks_example);
      if (e.what == encounter::kind::apart) continue;
      fruitless_ += seeks_example && e.what == encounter::kind::unknown;
      ledger_.meet(question::global_race, a, b, e, true, "give each block elements of its own, or use atomics");
    }
  }

  const dynamic_array<use>& uses_;
  const comparison& compare_;
  const drawn_numbers& draws_;
  ledger& ledger_;
  int fruitless_ = 0;         // searches for an example
  bool has_atomics_ = false;  // that return what a buffer held, so that blocks can tell each other apart
};

}  // namespace tg::proof
