// A set of bytes, one bit each: which bytes of a memory have been written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <tg/base/dynamic_array.hpp>

namespace tg::emulator::check {

/// A view of bits that somebody else owns, `slack_bytes` more than the bytes of the memory need.
class byte_set {
 public:
  static constexpr std::size_t slack_bytes = 8;
  static constexpr std::size_t storage_bytes(std::size_t bytes) { return bytes / 8 + 1 + slack_bytes; }

  byte_set() = default;
  /// `origin`, the first byte's number, is a multiple of 8.
  explicit byte_set(std::uint8_t* bits, std::uint64_t origin = 0) : bits_(bits), origin_(origin) {}

  void insert(std::uint64_t first, std::uint64_t count) { set(first, count, true); }
  void erase(std::uint64_t first, std::uint64_t count) { set(first, count, false); }

  bool holds(std::uint64_t first, std::uint64_t count) const {
    if (count > 64) {
      const std::uint64_t head = (8 - first % 8) % 8;
      if (!holds(first, head)) return false;
      first += head;
      count -= head;
      for (; count >= 64; first += 64, count -= 64)
        if (window(first) != ~std::uint64_t{0}) return false;
    }
    for (; count > 32; first += 32, count -= 32)
      if ((window(first) & 0xffffffffu) != 0xffffffffu) return false;
    return (~window(first) & ((std::uint64_t{1} << count) - 1)) == 0;
  }

  /// Takes over which of `count` bytes at `from` are in the set; the ranges may overlap.
  void copy(std::uint64_t to, std::uint64_t from, std::uint64_t count) {
    if (holds(from, count)) return insert(to, count);
    dynamic_array<bool> were(count);
    for (std::uint64_t i = 0; i < count; ++i) were[i] = holds(from + i, 1);
    for (std::uint64_t i = 0; i < count;) {
      const bool is_in = were[i];
      std::uint64_t end = i + 1;
      while (end < count && were[end] == is_in) ++end;
      set(to + i, end - i, is_in);
      i = end;
    }
  }

 private:
  /// The bits of 56 bytes or more from `first` on.
  std::uint64_t window(std::uint64_t first) const {
    std::uint64_t word;
    std::memcpy(&word, bits_ + (first - origin_) / 8, sizeof word);
    return word >> (first % 8);
  }

  void set(std::uint64_t first, std::uint64_t count, bool value) {
    if (count > 64) {
      const std::uint64_t head = (8 - first % 8) % 8, whole = (count - head) / 8;
      set(first, head, value);
      std::memset(bits_ + (first + head - origin_) / 8, value ? 0xff : 0, whole);
      first += head + whole * 8;
      count -= head + whole * 8;
    }
    for (; count > 0;) {
      const std::uint64_t step = std::min<std::uint64_t>(count, 32);
      const std::uint64_t mask = ((std::uint64_t{1} << step) - 1) << (first % 8);
      std::uint64_t word;
      std::memcpy(&word, bits_ + (first - origin_) / 8, sizeof word);
      word = value ? word | mask : word & ~mask;
      std::memcpy(bits_ + (first - origin_) / 8, &word, sizeof word);
      first += step;
      count -= step;
    }
  }

  std::uint8_t* bits_ = nullptr;
  std::uint64_t origin_ = 0;
};

}  // namespace tg::emulator::check
