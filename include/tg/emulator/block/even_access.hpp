// Loads and stores of many lanes whose addresses are evenly spaced: moved as rows, not lane by lane.
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include <tg/emulator/block/block.hpp>

namespace tg::emulator {

/// The lanes of a group that take part in an access, as ranges; at most one per warp.
class lane_ranges {
 public:
  /// Returns: false when the lanes of some warp are not neighbours.
  bool find(const block& b, const operation& o) {
    const lane_group& g = b.group;
    if (g.range_count != 0 && o.guard == no_slot) {
      known_ = {g.ranges.data(), g.range_count};
      return true;
    }
    std::size_t count = 0;
    const auto add = [&](lane_range next) {
      if (count != 0 && found_[count - 1].first + found_[count - 1].count == next.first) found_[count - 1].count += next.count;
      else found_[count++] = next;
    };
    for (std::uint32_t r = 0; r < g.run_count; ++r)
      for (std::uint32_t w = g.runs[r].first_warp; w < g.runs[r].first_warp + g.runs[r].warps; ++w) {
        const std::uint32_t active = b.active(o, w);
        if (active == 0) continue;
        const auto first = static_cast<std::uint32_t>(std::countr_zero(active));
        const std::uint32_t shifted = active >> first;
        if ((shifted & (shifted + 1)) != 0) return false;
        add({w * 32 + first, static_cast<std::uint32_t>(std::countr_one(shifted))});
      }
    known_ = {found_.data(), count};
    return true;
  }

  auto begin() const { return known_.begin(); }
  auto end() const { return known_.end(); }

 private:
  std::span<const lane_range> known_;
  std::array<lane_range, most_warps> found_;
};

/// Addresses of all threads in one space, and where the space lies in the host's memory. Refers to the addresses.
class even_access {
 public:
  even_access(const machine& m, const even_values& addresses, std::int64_t offset, std::uint32_t blocks)
      : m_(m), v_(addresses), offset_(offset), blocks_(blocks) {
    const auto& b = m.shape.block;
    is_flat_ = std::uint64_t{b.y} * b.z == 1 || (v_.dy == v_.dx * b.x && v_.dz == v_.dy * b.y);
  }

  /// Host address = device address + `offset`; that of each block is `block_step` further, of each lane `lane_step`.
  void place(std::uint64_t offset, std::int64_t block_step = 0, std::int64_t lane_step = 0) {
    step_ = v_.dx + lane_step;
    const std::int64_t first = static_cast<std::int64_t>(offset) + offset_, next = block_step + lane_step * m_.threads;
    for (std::uint32_t c = 0; c < blocks_; ++c) host_[c] = first + v_.base[c] + next * c;
    block_step_ = blocks_ == 1 ? step_ * m_.threads : host_[1] - host_[0];
    are_spaced_ = true;
    for (std::uint32_t c = 2; c < blocks_; ++c) are_spaced_ = are_spaced_ && host_[c] - host_[c - 1] == block_step_;
  }

  /// Whether `is_inside(lowest, highest)` for the addresses of the lanes of each block, or of more.
  template <class Inside> bool lies(lane_range lanes, Inside is_inside) const {
    bool all = true;
    each_block(lanes, [&](std::uint32_t c, lane_range own) {
      const auto [low, high] = bounds(own);
      all = all && is_inside(offset_ + v_.base[c] + low, offset_ + v_.base[c] + high);
    });
    return all;
  }

  void move(block& b, const operation& o, const memory_access& a, lane_range lanes) const {
    const std::uint32_t c = lanes.first / m_.threads, first = lanes.first % m_.threads;
    const auto& shape = m_.shape.block;
    if (is_flat_ && are_spaced_ && block_step_ == step_ * m_.threads && (lanes.blocks == 1 || lanes.count == m_.threads))
      return rows(b, o, a, lanes.first, host_[c] + step_ * first, {step_, 0, lanes.count * std::size_t{lanes.blocks}});
    if (is_flat_ && are_spaced_ && first + lanes.count <= m_.threads)
      return rows(b, o, a, lanes.first, host_[c] + step_ * first,
                  {step_, 0, lanes.count, 1, lanes.blocks, block_step_, m_.threads});
    if (are_spaced_ && lanes.count == m_.threads && first == 0 && shape.z == 1)
      return rows(b, o, a, lanes.first, host_[c], {v_.dx, v_.dy, shape.x, shape.y, lanes.blocks, block_step_, m_.threads});
    each_block(lanes, [&](std::uint32_t c, lane_range own) { move_in(b, o, a, c, own); });
  }

  /// All threads of a block load the same: once, to the samples of the results.
  void load_same(block& b, const operation& o, const memory_access& a) const {
    const bool is_one = are_spaced_ && block_step_ == 0;
    for (std::size_t k = 0; k < a.elements; ++k) {
      std::byte* const to = b.patterns.sample(o.slots[k]);
      const std::size_t bytes = o.slot_bytes[k];
      for (std::uint32_t c = 0; c < (is_one ? 1 : blocks_); ++c)
        m_.lanes.load_rows(to + c * 4 * bytes, bytes, at(host_[c], a, k), {0, 0, is_one ? 32u : 4u, 1}, a.type);
      b.patterns.become_uniform(o.slots[k], bytes);
    }
  }

 private:
  /// Calls `see(block, its own lanes)`.
  template <class See> void each_block(lane_range lanes, See see) const {
    for (std::uint32_t k = 0; k < lanes.blocks; ++k, lanes.first += m_.threads)
      for (std::uint32_t at = lanes.first; at != lanes.first + lanes.count;) {
        const std::uint32_t c = at / m_.threads, first = at % m_.threads;
        const std::uint32_t count = std::min(lanes.first + lanes.count - at, m_.threads - first);
        see(c, lane_range{first, count});
        at += count;
      }
  }

  /// Lowest and highest address of lanes of one block, from its base.
  std::pair<std::int64_t, std::int64_t> bounds(lane_range lanes) const {
    const auto& b = m_.shape.block;
    const std::int64_t first = lanes.first, last = first + lanes.count - 1;
    if (is_flat_) return std::minmax({v_.dx * first, v_.dx * last});
    if (b.z != 1) return {v_.fall, v_.rise};
    const auto [left, right] = std::minmax({std::int64_t{0}, v_.dx * (b.x - 1)});
    const auto [low, high] = std::minmax({v_.dy * (first / b.x), v_.dy * (last / b.x)});
    return {left + low, right + high};
  }

  void move_in(block& b, const operation& o, const memory_access& a, std::uint32_t c, lane_range lanes) const {
    const auto& shape = m_.shape.block;
    const std::uint32_t before = c * m_.threads;
    if (is_flat_) return rows(b, o, a, before + lanes.first, host_[c] + step_ * lanes.first, {step_, 0, lanes.count, 1});
    if (lanes.count == m_.threads && shape.z == 1) return rows(b, o, a, before, host_[c], {v_.dx, v_.dy, shape.x, shape.y});
    while (lanes.count != 0) {
      const std::uint32_t x = lanes.first % shape.x, row = lanes.first / shape.x, y = row % shape.y, z = row / shape.y;
      const bool is_start = x == 0 && lanes.count >= shape.x;
      const std::uint32_t count = is_start ? shape.x : std::min(shape.x - x, lanes.count);
      const std::uint32_t number = is_start ? std::min(lanes.count / shape.x, shape.y - y) : 1;
      rows(b, o, a, before + lanes.first, host_[c] + v_.dx * x + v_.dy * y + v_.dz * z, {v_.dx, v_.dy, count, number});
      lanes.first += count * number;
      lanes.count -= count * number;
    }
  }

  static std::byte* at(std::int64_t host, const memory_access& a, std::size_t element) {
    return reinterpret_cast<std::byte*>(static_cast<std::uint64_t>(host) + element * a.element_bytes);
  }

  void rows(block& b, const operation& o, const memory_access& a, std::uint32_t lane, std::int64_t host,
            const row_steps& steps) const {
    for (std::size_t k = 0; k < a.elements; ++k) {
      std::byte* const slot = b.slot(o, k, 0) + std::size_t{lane} * o.slot_bytes[k];
      if (a.is_write) m_.lanes.store_rows(at(host, a, k), slot, o.slot_bytes[k], steps, a.element_bytes);
      else m_.lanes.load_rows(slot, o.slot_bytes[k], at(host, a, k), steps, a.type);
    }
  }

  const machine& m_;
  const even_values& v_;
  std::int64_t offset_;
  std::uint32_t blocks_;
  bool is_flat_;             // the lanes of each block are one row
  bool are_spaced_ = false;  // the blocks' first lanes are evenly spaced
  std::int64_t step_ = 0, block_step_ = 0;
  std::array<std::int64_t, most_abreast> host_;
};

}  // namespace tg::emulator
