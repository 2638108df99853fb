// Lists of free ranges by size: a list for each size below 32 quanta, above that 32 for every power of two. Two maps of
// bits say which lists have anything, so that the next larger one is found without looking at those between.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tg::runtime {

/// The heads of the lists. What a head is, its owner knows.
class size_classes {
 public:
  using block = std::uint32_t;
  static constexpr block none = 0xffffffff;
  static constexpr std::size_t quantum_bytes = 256;

  struct place { unsigned level, step; };

  size_classes() {
    for (auto& level : heads_) level.fill(none);
  }

  /// The list for ranges of this size, a multiple of the quantum below 2^51.
  static constexpr place place_of(std::size_t bytes) {
    const std::size_t quanta = bytes / quantum_bytes;
    if (quanta < steps) return {0, static_cast<unsigned>(quanta)};
    const auto level = static_cast<unsigned>(std::bit_width(quanta)) - steps_log2;
    return {level, static_cast<unsigned>(quanta >> (level - 1)) - steps};
  }

  bool empty() const { return level_map_ == 0; }
  block head(place p) const { return heads_[p.level][p.step]; }
  void set_head(place p, block b) {
    heads_[p.level][p.step] = b;
    const std::uint32_t step = 1u << p.step;
    const std::uint64_t level = std::uint64_t{1} << p.level;
    step_maps_[p.level] = b == none ? step_maps_[p.level] & ~step : step_maps_[p.level] | step;
    level_map_ = step_maps_[p.level] == 0 ? level_map_ & ~level : level_map_ | level;
  }

  /// The head of the next list that has anything and whose ranges are larger; `none` when there is none.
  block next_head(place p) const {
    const std::uint32_t later_steps = p.step + 1 < steps ? step_maps_[p.level] >> (p.step + 1) << (p.step + 1) : 0;
    if (later_steps != 0) return heads_[p.level][static_cast<unsigned>(std::countr_zero(later_steps))];
    const std::uint64_t later_levels = level_map_ >> (p.level + 1) << (p.level + 1);
    if (later_levels == 0) return none;
    const auto level = static_cast<unsigned>(std::countr_zero(later_levels));
    return heads_[level][static_cast<unsigned>(std::countr_zero(step_maps_[level]))];
  }

  /// The head of the list with the largest ranges; `none` when all are empty.
  block last_head() const {
    if (empty()) return none;
    const auto level = static_cast<unsigned>(std::bit_width(level_map_)) - 1;
    return heads_[level][static_cast<unsigned>(std::bit_width(step_maps_[level])) - 1];
  }

 private:
  static constexpr unsigned steps_log2 = 5;
  static constexpr unsigned steps = 1u << steps_log2;
  static constexpr unsigned levels = 40;

  std::uint64_t level_map_ = 0;
  std::array<std::uint32_t, levels> step_maps_{};
  std::array<std::array<block, steps>, levels> heads_;
};

}  // namespace tg::runtime
