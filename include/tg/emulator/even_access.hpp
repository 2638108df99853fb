// Loads and stores of many lanes whose addresses are evenly spaced: moved as rows, not lane by lane.
#pragma once

#include <bit>

#include <tg/emulator/block.hpp>

namespace tg::emulator {

/// Neighbouring lanes of a block.
struct lane_range {
  std::uint32_t first, count;
};

/// The lanes of a group that take part in an access, as ranges; at most one per warp.
class lane_ranges {
 public:
  /// Returns: false when the lanes of some warp are not neighbours.
  bool find(const block& b, const operation& o) {
    const lane_group& g = b.group;
    if (g.count != 0 && o.guard == no_slot) {
      add({g.first, g.count});
      return true;
    }
    for (std::uint32_t r = 0; r < g.run_count; ++r)
      for (std::uint32_t w = g.runs[r].first_warp; w < g.runs[r].first_warp + g.runs[r].warps; ++w) {
        const std::uint32_t active = b.active(o, w);
        if (active == 0) continue;
        const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
        const std::uint32_t shifted = active >> first;
        if ((shifted & (shifted + 1)) != 0) return false;
        add({w * 32 + first, static_cast<std::uint32_t>(std::countr_one(shifted))});
      }
    return true;
  }

  const lane_range* begin() const { return ranges_.data(); }
  const lane_range* end() const { return ranges_.data() + count_; }

 private:
  void add(lane_range next) {
    if (count_ != 0 && ranges_[count_ - 1].first + ranges_[count_ - 1].count == next.first)
      ranges_[count_ - 1].count += next.count;
    else
      ranges_[count_++] = next;
  }

  std::array<lane_range, 32> ranges_;
  std::size_t count_ = 0;
};

/// Addresses of a whole block in one space, and where the space lies in the host's memory. Refers to the addresses.
class even_access {
 public:
  even_access(const machine& m, const even_values& addresses) : m_(m), v_(addresses) {
    const auto& b = m.shape.block;
    is_flat_ = std::uint64_t{b.y} * b.z == 1 || (v_.dy == v_.dx * b.x && v_.dz == v_.dy * b.y);
  }

  /// Host address = device address + `offset`; each lane's own part of it is `lane_step` further.
  void place(std::uint64_t offset, std::int64_t lane_step = 0) {
    host_ = offset;
    lane_step_ = lane_step;
  }

  /// Lowest and highest address of the lanes, or of more.
  std::pair<std::int64_t, std::int64_t> bounds(lane_range lanes) const {
    const auto& b = m_.shape.block;
    const std::int64_t first = lanes.first, last = first + lanes.count - 1;
    if (is_flat_) return std::minmax({v_.base + v_.dx * first, v_.base + v_.dx * last});
    if (b.z != 1) return {v_.lowest, v_.highest};
    const auto [left, right] = std::minmax({std::int64_t{0}, v_.dx * (b.x - 1)});
    const auto [low, high] = std::minmax({v_.dy * (first / b.x), v_.dy * (last / b.x)});
    return {v_.base + left + low, v_.base + right + high};
  }

  void move(block& b, const operation& o, const memory_access& a, lane_range lanes) const {
    const auto& shape = m_.shape.block;
    if (is_flat_)
      return rows(b, o, a, lanes.first, v_.base + v_.dx * lanes.first, {v_.dx + lane_step_, 0, lanes.count, 1});
    if (lanes.count == m_.threads && shape.z == 1) return rows(b, o, a, 0, v_.base, {v_.dx, v_.dy, shape.x, shape.y});
    while (lanes.count != 0) {
      const std::uint32_t x = lanes.first % shape.x, row = lanes.first / shape.x, y = row % shape.y, z = row / shape.y;
      const bool is_start = x == 0 && lanes.count >= shape.x;
      const std::uint32_t count = is_start ? shape.x : std::min(shape.x - x, lanes.count);
      const std::uint32_t number = is_start ? std::min(lanes.count / shape.x, shape.y - y) : 1;
      rows(b, o, a, lanes.first, v_.base + v_.dx * x + v_.dy * y + v_.dz * z, {v_.dx, v_.dy, count, number});
      lanes.first += count * number;
      lanes.count -= count * number;
    }
  }

  /// Every thread loads the same: once, to the samples of the results.
  void load_same(block& b, const operation& o, const memory_access& a) const {
    for (std::size_t k = 0; k < a.elements; ++k) {
      m_.lanes.load_rows(b.patterns.sample(o.slots[k]), o.slot_bytes[k], at(v_.base, a, k), {0, 0, 32, 1}, a.type);
      b.patterns.spread_sample(o.slots[k], o.slot_bytes[k]);
    }
  }

 private:
  std::byte* at(std::int64_t address, const memory_access& a, std::size_t element) const {
    return reinterpret_cast<std::byte*>(host_ + static_cast<std::uint64_t>(address) + element * a.element_bytes);
  }

  void rows(block& b, const operation& o, const memory_access& a, std::uint32_t lane, std::int64_t address,
            const row_steps& steps) const {
    address += lane_step_ * lane;
    for (std::size_t k = 0; k < a.elements; ++k) {
      std::byte* const slot = b.slot(o, k, 0) + std::size_t{lane} * o.slot_bytes[k];
      if (a.is_write)
        m_.lanes.store_rows(at(address, a, k), slot, o.slot_bytes[k], steps, a.element_bytes);
      else
        m_.lanes.load_rows(slot, o.slot_bytes[k], at(address, a, k), steps, a.type);
    }
  }

  const machine& m_;
  const even_values& v_;
  bool is_flat_;
  std::uint64_t host_ = 0;
  std::int64_t lane_step_ = 0;
};

}  // namespace tg::emulator
