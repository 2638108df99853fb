// The statements of a record as stretches that may be moved: what each register is used for, which instructions stand in
// one block, and where the effects are.
//
//   block 0     ld      f, [x]          a stretch: one instruction
//               setp    p, f
//               <if>    p               a stretch: from <if> to <endif>; its arms are blocks of their own
//   block 1       mov     v, g
//               <endif>
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// Instructions of a body, from `first` to `last`: a single one, or a whole branch or loop.
struct stretch {
  std::uint32_t first = ptx::no_index, last = ptx::no_index;

  bool contains(std::uint32_t n) const { return n >= first && n <= last; }
};

class body_facts {
 public:
  using index = std::uint32_t;

  /// How a register is used. What dead instructions read does not count.
  struct use {
    index definition = ptx::no_index;  // the last instruction that writes it
    index definitions = 0;
    index reads = 0;
    index last = ptx::no_index;  // the last instruction that names it
  };

  /// Requires: structured control flow.
  explicit body_facts(const ptx::function& f)
      : f_(f), uses_(f.registers.size()), places_(f.body.size()), effects_(f.body.size() + 1), is_dead_(f.body.size()) {
    find_places();
    find_dead();
  }

  use& operator[](std::uint32_t reg) { return uses_[reg]; }
  std::size_t registers() const { return uses_.size(); }
  bool is_variable(std::uint32_t reg) const { return uses_[reg].definitions > 1; }

  /// A pure instruction whose result is not needed.
  bool is_dead(index n) const { return n < is_dead_.size() && is_dead_[n] != 0; }

  /// Whether a stretch has an instruction that does more than compute and read.
  bool has_effect(const stretch& s) const { return effects_[s.last + 1].any != effects_[s.first].any; }
  /// Whether memory may be written by the instructions from `first` to in front of `end`.
  bool has_write(index first, index end) const { return first < end && effects_[end].writes != effects_[first].writes; }

  /// Whether an instruction from `first` to in front of `end` writes `reg`, a variable.
  bool is_written(std::uint32_t reg, index first, index end) {
    bool found = false;
    for_each_definition(reg, [&](index n) { found = found || (n >= first && n < end); });
    return found;
  }

  /// Calls `visit(n)` for each instruction that writes `reg`, a variable.
  template <class Visit> void for_each_definition(std::uint32_t reg, const Visit& visit) {
    if (definitions_.empty()) find_definitions();
    const auto first = std::lower_bound(definitions_.begin(), definitions_.end(), std::pair<std::uint32_t, index>{reg, 0});
    for (auto d = first; d != definitions_.end() && d->first == reg; ++d) visit(d->second);
  }

  /// The block in which an instruction stands that is no marker.
  index block_of(index n) const { return places_[n]; }
  index new_block() {
    blocks_.push_back(ptx::no_index);
    return static_cast<index>(blocks_.size() - 1);
  }

  /// The stretch of `block` in which instruction `n` stands; one without a first instruction where there is none.
  stretch stretch_of(index n, index block) const {
    index b = places_[n];
    if (b == block) return {n, n};
    while (blocks_[b] != ptx::no_index) {
      const nest& own = nests_[blocks_[b]];
      if (own.parent == block) return own.all;
      b = own.parent;
    }
    return {};
  }

  /// `s` stands in `block` from now on.
  void put(const stretch& s, index block) {
    if (s.first == s.last) places_[s.first] = block;
    else nests_[places_[s.first]].parent = block;
  }

 private:
  // A branch or a loop.
  struct nest {
    stretch all;
    index parent = 0;  // the block in which it stands
  };
  // How many instructions in front of one have an effect of their own.
  struct effect_count { index any = 0, writes = 0; };

  void find_places() {
    using ptx::opcode;
    dynamic_array<index> open;  // branches and loops
    index block = new_block(), n = 0;
    for (const ptx::instruction& i : f_.body) {
      if (i.op == opcode::if_ || i.op == opcode::loop) {
        open.push_back(static_cast<index>(nests_.size()));
        nests_.push_back({{n, n}, block});
      }
      const bool is_marker = i.op >= opcode::if_ && i.op <= opcode::endloop, is_empty = i.op == opcode::none;
      places_[n] = is_marker && !open.empty() ? open.back() : block;
      if (i.op == opcode::endif || i.op == opcode::endloop) {
        nests_[open.back()].all.last = n;
        block = nests_[open.back()].parent;
        open.pop_back();
      } else if (is_marker) {
        block = new_block();
        blocks_[block] = open.back();
      }
      const ptx::effect e = is_marker || is_empty ? ptx::effect::pure : ptx::effect_of(i);
      effects_[n + 1] = {effects_[n].any + (e >= ptx::effect::convergent), effects_[n].writes + (e > ptx::effect::convergent)};
      ptx::for_each_read(f_, i, [&](std::uint32_t r) { ++uses_[r].reads; });
      ptx::for_each_written(f_, i, [&](std::uint32_t r) {
        ++uses_[r].definitions;
        uses_[r].definition = n;
      });
      ++n;
    }
  }

  void find_dead() {
    for (auto n = static_cast<index>(f_.body.size()); n-- > 0;) {
      const ptx::instruction& i = f_.body[n];
      bool is_needed = i.operand_count == 0 || !ptx::is_pure(i);
      if (!is_needed) ptx::for_each_written(f_, i, [&](std::uint32_t r) { is_needed = is_needed || uses_[r].reads != 0; });
      is_dead_[n] = !is_needed;
      const auto name = [&](std::uint32_t r) {
        if (uses_[r].last == ptx::no_index) uses_[r].last = n;
      };
      if (is_needed) {
        ptx::for_each_read(f_, i, name);
        ptx::for_each_written(f_, i, name);
      } else {
        ptx::for_each_read(f_, i, [&](std::uint32_t r) { --uses_[r].reads; });
      }
    }
  }

  // Lists what writes variables, in the order of their numbers.
  void find_definitions() {
    for (index n = 0; n < places_.size(); ++n) {
      ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) {
        if (r < uses_.size() && is_variable(r)) definitions_.emplace_back(r, n);
      });
    }
    std::sort(definitions_.begin(), definitions_.end());
  }

  const ptx::function& f_;
  dynamic_array<use> uses_;
  dynamic_array<index> places_;  // of each instruction its block, of a marker its branch or loop
  dynamic_array<index> blocks_;  // the branch or loop of each
  dynamic_array<nest> nests_;
  dynamic_array<effect_count> effects_;
  dynamic_array<std::uint8_t> is_dead_;
  dynamic_array<std::pair<std::uint32_t, index>> definitions_;
};

}  // namespace tg::detail
