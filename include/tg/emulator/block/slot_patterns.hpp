// Which slots of a block hold the same value in every thread, or values evenly spaced over the threads' coordinates.
//
// Such a slot has a sample: four lanes for each of the blocks that run as one. The first stands at coordinates 0 of its
// block, the others at 1 along x, y and z. An operation on samples is one warp's work instead of the blocks'; the value
// in thread (x, y, z) is s[0] + x (s[1] - s[0]) + y (s[2] - s[0]) + z (s[3] - s[0]), modulo the slot's width. What
// needs each lane's value has it written to the frame first. A predicate may also hold up to some thread of each block,
// or from there on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/block/even_values.hpp>
#include <tg/emulator/block/machine.hpp>
#include <tg/emulator/image/floating_mode.hpp>

namespace tg::emulator {

class slot_patterns {
 public:
  explicit slot_patterns(const machine& m)
      : m_(m), state_(m.image.slot_count, full), constants_(m.image.slot_count, false), blocks_(m.abreast) {
    storage_ = std::make_unique<std::byte[]>(m.image.slot_count * sample_bytes + 64);
    samples_ = storage_.get() + (64 - (reinterpret_cast<std::uintptr_t>(storage_.get()) & 63)) % 64;
    values_ = std::make_unique_for_overwrite<even_values[]>(m.image.slot_count);
    const auto& b = m.shape.block;
    last_ = {std::int64_t{b.x} - 1, std::int64_t{b.y} - 1, std::int64_t{b.z} - 1};
    for (auto& list : at_) list.resize(m.warps * 32);
    for (std::uint32_t t = 0; t < m.warps * 32; ++t) {
      at_[0][t] = t % b.x;
      at_[1][t] = t / b.x % b.y;
      at_[2][t] = t / b.x / b.y;
    }
  }

  /// `frame` holds the slots' lanes, `stride` bytes per 4-byte unit.
  void attach(std::byte* frame, std::size_t stride) {
    frame_ = frame;
    stride_ = stride;
  }

  /// How many blocks run as one from now on.
  void start(std::uint32_t blocks) {
    if (blocks == blocks_) return;
    blocks_ = blocks;
    // What was found or written out for fewer blocks says nothing of the others.
    constexpr std::uint8_t kept = uniform | even | wide | divided;
    for (std::uint8_t& s : state_)
      if ((s & (even | divided)) != 0) s &= kept;
  }

  /// Whether all threads of a block have one value in `slot`.
  bool is_uniform(std::uint32_t slot) const { return (state_[slot] & uniform) != 0; }
  bool is_even(std::uint32_t slot) const { return (state_[slot] & even) != 0; }

  /// A predicate that differs before and from thread `at` of a block on.
  struct split_predicate {
    std::uint32_t at, before;  // before: 0 or ~0
  };
  /// True for a predicate that is divided so in each block, or the same in all its threads.
  bool is_split(std::uint32_t slot) const { return (state_[slot] & (divided | uniform)) != 0; }
  split_predicate split(std::uint32_t slot, std::uint32_t block) const {
    if (is_uniform(slot)) return {m_.threads, truth(slot, block)};
    split_predicate s;
    std::memcpy(&s, sample(slot) + block * sizeof s, sizeof s);
    return s;
  }
  /// A predicate that is the same in all threads of all blocks.
  bool is_agreed(std::uint32_t slot) const {
    if (!is_uniform(slot)) return false;
    for (std::uint32_t c = 1; c < blocks_; ++c)
      if (truth(slot, c) != truth(slot, 0)) return false;
    return true;
  }
  /// Its value in a block, of a uniform predicate: 0 or ~0.
  std::uint32_t truth(std::uint32_t slot, std::uint32_t block) const {
    std::uint32_t holds;
    std::memcpy(&holds, sample(slot) + block * corners * sizeof holds, sizeof holds);
    return holds;
  }
  std::byte* sample(std::uint32_t slot) const { return samples_ + slot * sample_bytes; }

  /// Gives the slot a value in every thread of every block: `value` + x dx + y dy + z dz.
  void set(slot_ref to, std::uint64_t value, std::array<std::uint64_t, 3> steps = {}) {
    state_[to.index] = static_cast<std::uint8_t>(even | (to.bytes == 8 ? wide : 0));
    if (steps == std::array<std::uint64_t, 3>{}) state_[to.index] |= uniform;
    for (std::uint32_t c = 0; c < most_abreast; ++c)
      for (std::uint32_t k = 0; k < corners; ++k) {
        const std::uint64_t v = k == 0 ? value : value + steps[k - 1];
        std::memcpy(sample(to.index) + (c * corners + k) * to.bytes, &v, to.bytes);
      }
    if (!m_.options.patterns) forget(to.index);
  }
  /// Changes what `set` gave to one block.
  void set_in(std::uint32_t block, slot_ref to, std::uint64_t value) {
    for (std::uint32_t k = 0; k < corners; ++k)
      std::memcpy(sample(to.index) + (block * corners + k) * to.bytes, &value, to.bytes);
  }

  /// No operation writes the slot.
  void set_constant(slot_ref to) { constants_[to.index] = true; }

  /// Every lane of the slot has what its block has in the sample, which the caller has written.
  void become_uniform(std::uint32_t slot, std::size_t bytes) {
    state_[slot] = static_cast<std::uint8_t>(uniform | even | (bytes == 8 ? wide : 0));
  }

  /// Runs `o` for all threads where samples are enough. Returns: false when each lane must compute.
  bool run_once(const operation& o) {
    if (!m_.options.patterns) return false;
    std::uint8_t all = uniform | even;
    for (std::size_t k = o.result_count; k < o.slot_count; ++k) all &= state_[o.slots[k]];
    if ((all & uniform) == 0 && ((all & even) == 0 || o.rule == pattern_rule::none)) return false;
    if ((all & uniform) == 0) {
      if (o.rule >= pattern_rule::less_signed) return compare(o);
      if (!stays_even(o)) return false;
    }
    std::byte* slots[operation::max_slots];
    for (std::size_t k = 0; k < o.slot_count; ++k) slots[k] = sample(o.slots[k]);
    if (o.mode != 0) {
      const floating_mode scope(o.mode);
      o.run(slots, 1);
    } else {
      o.run(slots, 1);
    }
    for (std::size_t k = 0; k < o.result_count; ++k)
      state_[o.slots[k]] = static_cast<std::uint8_t>(all | (o.slot_bytes[k] == 8 ? wide : 0));
    return true;
  }

  /// Before anything but action::lanes runs: settles what it may read and write, unless it does so itself.
  void prepare(const operation& o) {
    switch (o.act) {
      case action::nothing:
      case action::branch:
      case action::load:
      case action::store:
      case action::atomic: return;
      case action::exit:
      case action::trap:
      case action::fence:
      case action::barrier:
      case action::sync_warp:
      case action::shuffle:
      case action::vote:
      case action::match:
      case action::reduce_warp:
      case action::active_mask:
      case action::elect:
      case action::clock:
      case action::jump_to_slot:
      case action::yield: return settle(o);
      default: return settle_all();
    }
  }

  /// Makes the frame hold each lane's value of the operation's slots, and nothing else speak for its results.
  void settle(const operation& o) {
    std::uint8_t all = full;
    for (std::size_t k = 0; k < o.slot_count; ++k) all &= state_[o.slots[k]];
    if (o.guard != no_slot) all &= state_[o.guard];
    if (all == 0) {
      for (std::size_t k = 0; k < o.slot_count; ++k) write_out(o.slots[k]);
      if (o.guard != no_slot) write_out(o.guard);
    }
    for (std::size_t k = 0; k < o.result_count; ++k) state_[o.slots[k]] = full;
  }
  /// Writes every slot out in full, for an operation that may read and write any slot.
  void settle_all() {
    for (std::uint32_t slot = 0; slot < state_.size(); ++slot) {
      write_out(slot);
      if (!constants_[slot]) state_[slot] = full;
    }
  }
  /// Writes one slot out in full, for an operation that reads it.
  void settle(std::uint32_t slot) {
    if ((state_[slot] & full) == 0) write_out(slot);
  }
  /// The slot is about to be written in every lane, or, `forget`, in some.
  void replace(std::uint32_t slot) { state_[slot] = full; }
  void forget(std::uint32_t slot) {
    settle(slot);
    state_[slot] = full;
  }

  /// The values of an even slot, extended with or without sign, over all blocks; good until the slot is written.
  const even_values& values(std::uint32_t slot, bool is_signed) {
    std::uint8_t& s = state_[slot];
    const std::uint8_t known = is_signed ? known_signed : known_unsigned;
    if ((s & known) == 0) {
      s = static_cast<std::uint8_t>((s & ~(known_signed | known_unsigned)) | known);
      find_values(slot, is_signed);
    }
    return values_[slot];
  }

 private:
  // Bits of the state of a slot; whoever writes the slot sets them anew. What is known of its values is in values_.
  static constexpr std::uint8_t uniform = 1, even = 2, full = 4, wide = 8, divided = 16, known_signed = 32, known_unsigned = 64;
  static constexpr std::uint32_t corners = sample_corners;
  static constexpr std::size_t sample_bytes = most_abreast * corners * 4;  // of one 4-byte unit
  static_assert(most_abreast * corners == 32, "a sample is one warp");

  void find_values(std::uint32_t slot, bool is_signed) {
    even_values& v = values_[slot];
    if ((state_[slot] & wide) != 0) {
      take_values<std::int64_t>(v, sample(slot), blocks_, last_);
    } else if (is_signed) {
      take_values<std::int32_t>(v, sample(slot), blocks_, last_);
      v.is_exact = v.is_exact && v.lowest >= INT32_MIN && v.highest <= INT32_MAX;
    } else {
      take_values<std::uint32_t>(v, sample(slot), blocks_, last_);
      v.is_exact = v.is_exact && v.lowest >= 0 && v.highest <= UINT32_MAX;
    }
  }

  bool stays_even(const operation& o) {
    const auto is_same = [&](std::size_t k) { return is_uniform(o.slots[k]); };
    const auto fits = [&](std::size_t k, bool is_signed) { return values(o.slots[k], is_signed).is_exact; };
    switch (o.rule) {
      case pattern_rule::linear: return true;
      case pattern_rule::product: return is_same(1) || is_same(2);
      case pattern_rule::shift: return is_same(2);
      case pattern_rule::widen_signed: return fits(1, true);
      case pattern_rule::widen_unsigned: return fits(1, false);
      case pattern_rule::wide_signed: return is_same(1) ? fits(2, true) : is_same(2) && fits(1, true);
      case pattern_rule::wide_unsigned: return is_same(1) ? fits(2, false) : is_same(2) && fits(1, false);
      default: return false;
    }
  }

  /// A comparison where the extremes decide for a block, or one thread divides it.
  bool compare(const operation& o) {
    if (o.rule >= pattern_rule::equal) return compare_equal(o);
    const bool is_signed = o.rule != pattern_rule::less_unsigned && o.rule != pattern_rule::at_most_unsigned;
    const bool or_equal = o.rule >= pattern_rule::at_most_signed;
    const even_values &a = values(o.slots[1], is_signed), &b = values(o.slots[2], is_signed);
    if (!a.is_exact || !b.is_exact) return false;
    const std::int64_t dx = b.dx - a.dx;
    std::array<split_predicate, most_abreast> parts;
    bool is_divided = false;
    for (std::uint32_t c = 0; c < blocks_; ++c) {
      // Holds where base + x dx + y dy + z dz > 0.
      const std::int64_t base = b.base[c] - a.base[c] + or_equal;
      const bool always = base + b.fall - a.rise > 0, never = base + b.rise - a.fall <= 0;
      parts[c] = {m_.threads, always ? ~0u : 0u};
      if (always || never) continue;
      if (!is_flat(dx, b.dy - a.dy, b.dz - a.dz)) return false;
      const bool is_first = base > 0;
      const std::int64_t at = is_first == (dx > 0) ? m_.threads : dx < 0 ? (base - dx - 1) / -dx : -base / dx + 1;
      parts[c] = {static_cast<std::uint32_t>(std::min<std::int64_t>(at, m_.threads)), is_first ? ~0u : 0u};
      is_divided = is_divided || parts[c].at < m_.threads;
    }
    divide(o.slots[0], parts, is_divided);
    return true;
  }

  /// a == b or a != b where that is so for no thread of a block, or its first or last.
  bool compare_equal(const operation& o) {
    const even_values &a = values(o.slots[1], true), &b = values(o.slots[2], true);
    const std::int64_t dx = b.dx - a.dx;
    if (!a.is_exact || !b.is_exact || !is_flat(dx, b.dy - a.dy, b.dz - a.dz)) return false;
    const std::uint32_t here = o.rule == pattern_rule::equal ? ~0u : 0u;
    std::array<split_predicate, most_abreast> parts;
    bool is_divided = false;
    for (std::uint32_t c = 0; c < blocks_; ++c) {
      const std::int64_t base = a.base[c] - b.base[c], at = base / dx;
      parts[c] = {m_.threads, ~here};
      if (base % dx != 0 || at < 0 || at >= m_.threads) continue;
      if (at != 0 && at != m_.threads - 1) return false;
      parts[c] = at == 0 ? split_predicate{1, here} : split_predicate{m_.threads - 1, ~here};
      is_divided = is_divided || m_.threads != 1;
    }
    divide(o.slots[0], parts, is_divided);
    return true;
  }

  /// Gives a predicate its parts, or its value in each block where no block is divided.
  void divide(std::uint32_t slot, const std::array<split_predicate, most_abreast>& parts, bool is_divided) {
    if (is_divided) {
      std::memcpy(sample(slot), parts.data(), sizeof parts);
      state_[slot] = divided;
      return;
    }
    for (std::uint32_t c = 0; c < blocks_; ++c) set_in(c, {slot, 4}, parts[c].before);
    become_uniform(slot, 4);
  }

  /// Steps of which each thread is one further than its neighbour.
  bool is_flat(std::int64_t dx, std::int64_t dy, std::int64_t dz) const {
    const auto& b = m_.shape.block;
    return dx != 0 && (b.y == 1 || dy == dx * b.x) && (b.z == 1 || dz == dx * b.x * b.y);
  }

  void write_out(std::uint32_t slot) {
    std::uint8_t& s = state_[slot];
    if ((s & full) != 0) return;
    const std::size_t bytes = (s & wide) != 0 ? 8 : 4, block_bytes = m_.warps * 32 * bytes;
    const std::uint32_t* const at[] = {at_[0].data(), at_[1].data(), at_[2].data()};
    for (std::uint32_t c = 0; c < blocks_; ++c) {
      std::byte* const to = frame_ + slot * stride_ + c * block_bytes;
      const std::byte* const from = sample(slot) + c * corners * bytes;
      if ((s & divided) != 0) {
        const split_predicate p = split(slot, c);
        std::memset(to, p.before == 0 ? 0 : 0xff, p.at * std::size_t{4});
        std::memset(to + p.at * std::size_t{4}, p.before == 0 ? 0xff : 0, block_bytes - p.at * std::size_t{4});
      } else if ((s & uniform) != 0) {
        m_.lanes.fill_same(to, from, bytes, m_.warps);
      } else {
        m_.lanes.fill_even(to, from, bytes, at, m_.warps);
      }
    }
    s |= full;
  }

  const machine& m_;
  dynamic_array<std::uint8_t> state_;
  dynamic_array<bool> constants_;
  std::uint32_t blocks_;
  std::unique_ptr<std::byte[]> storage_;
  std::byte* samples_ = nullptr;
  std::unique_ptr<even_values[]> values_;  // per slot
  std::array<dynamic_array<std::uint32_t>, 3> at_;
  std::array<std::int64_t, 3> last_;  // coordinates
  std::byte* frame_ = nullptr;
  std::size_t stride_ = 0;
};

}  // namespace tg::emulator
