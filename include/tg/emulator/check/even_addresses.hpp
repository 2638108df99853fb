// The addresses of one access of many threads of a block, evenly spaced along the threads' coordinates.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <tg/emulator/launch/launch_shape.hpp>

namespace tg::emulator::check {

/// Thread (x, y, z) accesses `bytes` bytes at base + x dx + y dy + z dz. Threads are numbered along x, then y, then z.
class even_addresses {
 public:
  even_addresses() = default;
  even_addresses(std::int64_t base, std::int64_t dx, std::int64_t dy, std::int64_t dz, std::uint32_t bytes,
                 const launch_shape::extent& block)
      : base_(base), dx_(dx), dy_(dy), dz_(dz), bytes_(bytes), x_(block.x), y_(block.y) {
    if (block.x == 1 && block.y == 1 && block.z != 1) dx_ = dz_;
    if (block.x == 1 && block.y != 1) dx_ = dy_;
    if (block.y == 1) dy_ = dx_ * block.x;
    if (block.z == 1) dz_ = dy_ * block.y;
    is_flat_ = dy_ == dx_ * block.x && dz_ == dy_ * block.y;
    const std::int64_t row = std::abs(dx_) * (block.x - 1) + bytes, plane = std::abs(dy_) * (block.y - 1) + row;
    const bool rows_are_apart = (std::abs(dx_) >= bytes || block.x == 1) && (std::abs(dy_) >= row || block.y == 1);
    is_apart_ = (is_flat_ && std::abs(dx_) >= bytes) || (rows_are_apart && (std::abs(dz_) >= plane || block.z == 1)) ||
                block.count() == 1;
  }

  std::uint32_t bytes() const { return bytes_; }
  /// No two threads touch one byte.
  bool is_apart() const { return is_apart_; }

  std::uint64_t of(std::uint32_t thread) const {
    if (is_flat_) return static_cast<std::uint64_t>(base_ + dx_ * thread);
    const std::uint32_t row = thread / x_;
    return static_cast<std::uint64_t>(base_ + dx_ * (thread % x_) + dy_ * (row % y_) + dz_ * (row / y_));
  }

  /// Calls `see(address of its first thread, first thread, count)` for ranges of threads, in order, whose addresses are
  /// `step()` apart.
  template <class See> void each_row(std::uint32_t first, std::uint32_t count, See see) const {
    if (is_flat_) return see(of(first), first, count);
    while (count != 0) {
      const std::uint32_t part = std::min(count, x_ - first % x_);
      see(of(first), first, part);
      first += part;
      count -= part;
    }
  }
  std::int64_t step() const { return dx_; }

  /// Whether the bytes lie between those of `other`: both repeat with one period and differ within it.
  bool alternates_with(const even_addresses& other) const {
    const std::int64_t period = std::abs(dx_);
    if (period == 0 || period != std::abs(other.dx_)) return false;
    if (dy_ % period != 0 || dz_ % period != 0 || other.dy_ % period != 0 || other.dz_ % period != 0) return false;
    const std::int64_t apart = ((other.base_ - base_) % period + period) % period;
    return apart >= bytes_ && apart + other.bytes_ <= period;
  }

  friend bool operator==(const even_addresses&, const even_addresses&) = default;

 private:
  std::int64_t base_ = 0, dx_ = 0, dy_ = 0, dz_ = 0;
  std::uint32_t bytes_ = 0, x_ = 1, y_ = 1;
  bool is_flat_ = true, is_apart_ = false;
};

/// Sets `alike[i]`, where lane i is the first of the active lanes that have its address, to all lanes that have it.
inline void find_alike(std::uint32_t active, const std::uint64_t* address, std::array<std::uint32_t, 32>& alike) {
  std::array<std::uint32_t, 64> buckets{};  // first lanes, by a hash of their addresses
  for (; active != 0; active &= active - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(active));
    std::uint32_t& bucket = buckets[(address[i] >> 2 ^ address[i] >> 8) % 64];
    std::uint32_t rest = bucket;
    while (rest != 0 && address[std::countr_zero(rest)] != address[i]) rest &= rest - 1;
    alike[i] = 1u << i;
    if (rest != 0) alike[static_cast<std::size_t>(std::countr_zero(rest))] |= 1u << i;
    else bucket |= 1u << i;
  }
}

}  // namespace tg::emulator::check
