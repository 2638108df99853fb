// The axes of an expression as loops: neighbours that are one line in all arrays become one axis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <tg/array/facts.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

/// One axis, or several that are one line in all arrays.
struct nest_axis {
  std::int64_t extent = 1;
  int number = -1;                                    // of the axis of the expression, where it is one
  fixed_array<std::int64_t, most_operands> stride{};  // in bytes, of each array and result
};

/// Axes, outermost first.
struct axis_nest {
  int count = 0;
  fixed_array<nest_axis, most_axes> axes{};

  nest_axis& operator[](int k) { return axes[static_cast<std::size_t>(k)]; }
  const nest_axis& operator[](int k) const { return axes[static_cast<std::size_t>(k)]; }
  std::int64_t elements() const {
    std::int64_t out = 1;
    for (int k = 0; k < count; ++k) out *= (*this)[k].extent;
    return out;
  }
  void add(const nest_axis& axis) { axes[static_cast<std::size_t>(count++)] = axis; }

  /// The axis along which arrays go in the smallest steps becomes the last. `operands`: how many arrays and results there are;
  /// `first`: the one that decides between equals.
  void sort(int operands, int first) {
    const auto key = [&](const nest_axis& a) {
      std::int64_t least = INT64_MAX;
      for (int o = 0; o < operands; ++o)
        if (const std::int64_t own = std::abs(a.stride[static_cast<std::size_t>(o)]); own != 0) least = std::min(least, own);
      return least;
    };
    std::stable_sort(axes.begin(), axes.begin() + count, [&](const nest_axis& a, const nest_axis& b) {
      const std::int64_t ours = std::abs(a.stride[static_cast<std::size_t>(first)]);
      const std::int64_t its = std::abs(b.stride[static_cast<std::size_t>(first)]);
      if (ours != 0 && its != 0) return ours > its;
      return key(a) > key(b);
    });
  }
  /// Joins neighbours. `pinned`: axes whose numbers are asked for, which stay.
  void join(int operands, std::uint32_t pinned) {
    axis_nest out;
    for (int k = 0; k < count; ++k) {
      const nest_axis& own = (*this)[k];
      const bool is_free = out.count > 0 && !is_pinned(own, pinned) && !is_pinned(out[out.count - 1], pinned);
      if (is_free && is_one_line(out[out.count - 1], own, operands)) {
        nest_axis& joined = out[out.count - 1];
        joined.extent *= own.extent;
        joined.stride = own.stride;
        joined.number = -1;
      } else {
        out.add(own);
      }
    }
    *this = out;
  }
  /// Whether operand `o` of so many bytes lies without gaps along all axes, in their order.
  bool is_dense(int o, int bytes) const {
    std::int64_t own = bytes;
    for (int k = count - 1; k >= 0; --k) {
      if ((*this)[k].stride[static_cast<std::size_t>(o)] != own) return false;
      own *= (*this)[k].extent;
    }
    return true;
  }
  /// Bits: along which axes operand `o` goes on.
  std::uint8_t moves_of(int o) const {
    std::uint8_t out = 0;
    for (int k = 0; k < count; ++k)
      if ((*this)[k].stride[static_cast<std::size_t>(o)] != 0) out = static_cast<std::uint8_t>(out | 1u << k);
    return out;
  }

 private:
  static bool is_pinned(const nest_axis& a, std::uint32_t pinned) { return a.number >= 0 && (pinned >> a.number & 1) != 0; }
  static bool is_one_line(const nest_axis& outer, const nest_axis& inner, int operands) {
    for (std::size_t o = 0; o < static_cast<std::size_t>(operands); ++o)
      if (outer.stride[o] != inner.stride[o] * inner.extent) return false;
    return true;
  }
};

}  // namespace tg::detail
