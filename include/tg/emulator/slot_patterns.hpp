// Which slots of a block hold the same value in every thread, or values evenly spaced over the threads' coordinates.
//
// Such a slot has a sample: 32 lanes of which lane 0 stands at coordinates 0, lanes 1, 2 and 3 at 1 along x, y and z,
// and the others at 0. An operation on samples is one warp's work instead of the block's; the value in thread (x, y, z)
// is sample[0] + x (sample[1] - sample[0]) + y (sample[2] - sample[0]) + z (sample[3] - sample[0]), modulo the slot's
// width. What needs each lane's value has it written to the frame first. A predicate may also hold up to some thread,
// or from there on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/emulator/floating_mode.hpp>
#include <tg/emulator/machine.hpp>

namespace tg::emulator {

/// Values at coordinates (x, y, z): base + x dx + y dy + z dz, without wrapping.
struct even_values {
  std::int64_t base = 0, dx = 0, dy = 0, dz = 0;
  std::int64_t lowest = 0, highest = 0;
  bool is_exact = false;  // false: some value wraps, or is too large to tell

  bool is_uniform() const { return dx == 0 && dy == 0 && dz == 0; }
};

class slot_patterns {
 public:
  explicit slot_patterns(const machine& m)
      : m_(m), state_(m.image.slot_count, full), constants_(m.image.slot_count, false) {
    storage_ = std::make_unique<std::byte[]>(m.image.slot_count * sample_bytes + 64);
    samples_ = storage_.get() + (64 - (reinterpret_cast<std::uintptr_t>(storage_.get()) & 63)) % 64;
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

  bool is_uniform(std::uint32_t slot) const { return (state_[slot] & uniform) != 0; }
  /// A predicate that differs before and from thread `split(slot).at` on.
  struct split_predicate {
    std::uint32_t at, before;  // before: 0 or ~0
  };
  bool is_split(std::uint32_t slot) const { return (state_[slot] & divided) != 0; }
  split_predicate split(std::uint32_t slot) const {
    split_predicate s;
    std::memcpy(&s, sample(slot), sizeof s);
    return s;
  }
  bool is_even(std::uint32_t slot) const { return (state_[slot] & even) != 0; }
  std::byte* sample(std::uint32_t slot) const { return samples_ + slot * sample_bytes; }

  /// Gives the slot a value in every thread: `value` + x dx + y dy + z dz.
  void set(slot_ref to, std::uint64_t value, std::array<std::uint64_t, 3> steps = {}) {
    std::memcpy(sample(to.index), &value, to.bytes);
    spread_sample(to.index, to.bytes);
    for (std::size_t k = 0; k < 3; ++k)
      if (const std::uint64_t v = value + steps[k]; v != value) {
        std::memcpy(sample(to.index) + (k + 1) * to.bytes, &v, to.bytes);
        state_[to.index] = static_cast<std::uint8_t>(state_[to.index] & ~uniform);
      }
    if (!m_.options.patterns) forget(to.index);
  }

  /// No operation writes the slot.
  void set_constant(slot_ref to) { constants_[to.index] = true; }

  /// Every lane gets what lane 0 of the sample holds, which the caller has written.
  void spread_sample(std::uint32_t slot, std::size_t bytes) {
    m_.lanes.fill_same(sample(slot), sample(slot), bytes, 1);
    state_[slot] = static_cast<std::uint8_t>(uniform | even | (bytes == 8 ? wide : 0));
  }

  /// Runs `o` for the whole block where samples are enough. Returns: false when each lane must compute.
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
      case action::atomic:
        return;
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
      case action::yield:
        return settle(o);
      default:
        return settle_all();
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
  /// The same for an operation that may read and write any slot.
  void settle_all() {
    for (std::uint32_t slot = 0; slot < state_.size(); ++slot) {
      write_out(slot);
      if (!constants_[slot]) state_[slot] = full;
    }
  }
  /// The same for one slot that is read.
  void settle(std::uint32_t slot) {
    if ((state_[slot] & full) == 0) write_out(slot);
  }
  /// The slot is about to be written in every lane, or, `forget`, in some.
  void replace(std::uint32_t slot) { state_[slot] = full; }
  void forget(std::uint32_t slot) {
    settle(slot);
    state_[slot] = full;
  }

  /// The values of an even slot, extended with or without sign, over the whole block.
  TG_ALWAYS_INLINE even_values values(std::uint32_t slot, bool is_signed, std::int64_t offset = 0) const {
    const std::byte* const lanes = sample(slot);
    even_values v;
    if ((state_[slot] & wide) != 0) {
      std::uint64_t lane[4];
      std::memcpy(lane, lanes, sizeof lane);
      const auto step = [&](int k) { return static_cast<std::int64_t>(lane[k] - lane[0]); };
      v.base = static_cast<std::int64_t>(lane[0]) + offset;
      v.dx = step(1), v.dy = step(2), v.dz = step(3);
      v.is_exact = is_moderate(v.base) && is_moderate(v.dx) && is_moderate(v.dy) && is_moderate(v.dz);
      if (!v.is_exact) return v;
    } else {
      std::uint32_t lane[4];
      std::memcpy(lane, lanes, sizeof lane);
      const auto step = [&](int k) { return std::int64_t{static_cast<std::int32_t>(lane[k] - lane[0])}; };
      v.base = (is_signed ? std::int64_t{static_cast<std::int32_t>(lane[0])} : std::int64_t{lane[0]}) + offset;
      v.dx = step(1), v.dy = step(2), v.dz = step(3);
    }
    v.lowest = v.base + std::min<std::int64_t>(v.dx, 0) * last_[0] + std::min<std::int64_t>(v.dy, 0) * last_[1] +
               std::min<std::int64_t>(v.dz, 0) * last_[2];
    v.highest = v.base + std::max<std::int64_t>(v.dx, 0) * last_[0] + std::max<std::int64_t>(v.dy, 0) * last_[1] +
                std::max<std::int64_t>(v.dz, 0) * last_[2];
    if ((state_[slot] & wide) == 0)
      v.is_exact =
          is_signed ? v.lowest >= INT32_MIN && v.highest <= INT32_MAX : v.lowest >= 0 && v.highest <= UINT32_MAX;
    return v;
  }

 private:
  static constexpr std::uint8_t uniform = 1, even = 2, full = 4, wide = 8, divided = 16;
  static constexpr std::size_t sample_bytes = 128;  // of one 4-byte unit
  static constexpr std::int64_t most = std::int64_t{1} << 48;

  /// Small enough that sums over a block do not wrap.
  static bool is_moderate(std::int64_t value) { return value > -most && value < most; }

  bool stays_even(const operation& o) const {
    const auto is_same = [&](std::size_t k) { return is_uniform(o.slots[k]); };
    const auto fits = [&](std::size_t k, bool is_signed) { return values(o.slots[k], is_signed).is_exact; };
    switch (o.rule) {
      case pattern_rule::linear:
        return true;
      case pattern_rule::product:
        return is_same(1) || is_same(2);
      case pattern_rule::shift:
        return is_same(2);
      case pattern_rule::widen_signed:
        return fits(1, true);
      case pattern_rule::widen_unsigned:
        return fits(1, false);
      case pattern_rule::wide_signed:
        return is_same(1) ? fits(2, true) : is_same(2) && fits(1, true);
      case pattern_rule::wide_unsigned:
        return is_same(1) ? fits(2, false) : is_same(2) && fits(1, false);
      default:
        return false;
    }
  }

  /// a < b or a <= b where the extremes decide for the whole block.
  bool compare(const operation& o) {
    const bool is_signed = o.rule != pattern_rule::less_unsigned && o.rule != pattern_rule::at_most_unsigned;
    const bool or_equal = o.rule >= pattern_rule::at_most_signed;
    const even_values a = values(o.slots[1], is_signed), b = values(o.slots[2], is_signed);
    if (!a.is_exact || !b.is_exact) return false;
    const bool always = or_equal ? a.highest <= b.lowest : a.highest < b.lowest;
    const bool never = or_equal ? a.lowest > b.highest : a.lowest >= b.highest;
    if (!always && !never) return split(o, b.base - a.base + or_equal, b.dx - a.dx, b.dy - a.dy, b.dz - a.dz);
    set({o.slots[0], 4}, always ? 0xffffffffu : 0);
    return true;
  }

  /// The result holds where base + x dx + y dy + z dz > 0.
  bool split(const operation& o, std::int64_t base, std::int64_t dx, std::int64_t dy, std::int64_t dz) {
    const auto& b = m_.shape.block;
    const bool is_flat = (b.y == 1 || dy == dx * b.x) && (b.z == 1 || dz == dx * b.x * b.y);
    if (!is_flat || dx == 0) return false;
    const bool is_first = base > 0;
    const std::int64_t at = is_first == (dx > 0) ? 0 : dx < 0 ? (base - dx - 1) / -dx : -base / dx + 1;
    if (at == 0 || at >= m_.threads) {
      set({o.slots[0], 4}, is_first ? 0xffffffffu : 0);
      return true;
    }
    const split_predicate s{static_cast<std::uint32_t>(at), is_first ? ~0u : 0u};
    std::memcpy(sample(o.slots[0]), &s, sizeof s);
    state_[o.slots[0]] = divided;
    return true;
  }

  void write_out(std::uint32_t slot) {
    std::uint8_t& s = state_[slot];
    if ((s & full) != 0) return;
    std::byte* const to = frame_ + slot * stride_;
    const std::size_t bytes = (s & wide) != 0 ? 8 : 4;
    if ((s & divided) != 0) {
      const split_predicate p = split(slot);
      std::memset(to, p.before == 0 ? 0 : 0xff, p.at * std::size_t{4});
      std::memset(to + p.at * std::size_t{4}, p.before == 0 ? 0xff : 0, (m_.warps * std::size_t{32} - p.at) * 4);
    } else if ((s & uniform) != 0) {
      m_.lanes.fill_same(to, sample(slot), bytes, m_.warps);
    } else {
      const std::uint32_t* const at[] = {at_[0].data(), at_[1].data(), at_[2].data()};
      m_.lanes.fill_even(to, sample(slot), bytes, at, m_.warps);
    }
    s |= full;
  }

  const machine& m_;
  std::vector<std::uint8_t> state_;
  std::vector<bool> constants_;
  std::unique_ptr<std::byte[]> storage_;
  std::byte* samples_ = nullptr;
  std::array<std::vector<std::uint32_t>, 3> at_;
  std::array<std::int64_t, 3> last_;  // coordinates
  std::byte* frame_ = nullptr;
  std::size_t stride_ = 0;
};

}  // namespace tg::emulator
