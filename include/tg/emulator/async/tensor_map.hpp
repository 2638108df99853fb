// A tensor map: 128 bytes that say where a tensor lies in global memory and what one copy moves of it.
// How the bytes are laid out is our own; the driver's is not documented.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>

#include <tg/emulator/async/im2col_tensor.hpp>

namespace tg::emulator {

/// The arguments of cuTensorMapEncodeTiled.
struct tiled_tensor : tensor_shape {
  std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1};  // elements, innermost first, before steps skip some
};

/// As large and as aligned as CUtensorMap.
struct alignas(64) tensor_map { std::array<std::byte, 128> bytes{}; };

/// Which rule `t` breaks that the driver checks; empty: none.
/// Source: CUDA driver API, "Tensor Map Object Management", cuTensorMapEncodeTiled.
constexpr std::string_view broken_rule(const tiled_tensor& t) {
  if (const std::string_view broken = broken_shape_rule(t, t.box[0]); !broken.empty()) return broken;
  for (std::size_t k = 0; k < t.rank; ++k)
    if (t.box[k] == 0 || t.box[k] > 256) return "an extent of the box is 1 to 256 elements";
  return {};
}

namespace detail {

/// How the 128 bytes are used.
struct tensor_map_layout {
  std::uint64_t mark = 0;  // of the kind of map
  std::uint64_t address = 0;
  std::array<std::uint64_t, 4> strides{};
  std::array<std::uint64_t, 5> extents{};
  std::array<std::uint16_t, 8> copy{};  // a box; or channels, pixels and corners
  std::array<std::uint8_t, 5> steps{};
  std::uint8_t type = 0, rank = 0, interleave = 0, swizzle = 0, fill = 0;

  void put(const tiled_tensor& t) {
    mark = mark_of<tiled_tensor>;
    for (std::size_t k = 0; k < 5; ++k) copy[k] = static_cast<std::uint16_t>(t.box[k]);
  }
  void put(const im2col_tensor& t) {
    mark = mark_of<im2col_tensor>;
    copy[0] = static_cast<std::uint16_t>(t.channels);
    copy[1] = static_cast<std::uint16_t>(t.pixels);
    for (std::size_t k = 0; k < 3; ++k) {
      copy[2 + k] = static_cast<std::uint16_t>(t.lower[k]);
      copy[5 + k] = static_cast<std::uint16_t>(t.upper[k]);
    }
  }
  void get(tiled_tensor& t) const { std::copy_n(copy.begin(), 5, t.box.begin()); }
  void get(im2col_tensor& t) const {
    t.channels = copy[0];
    t.pixels = copy[1];
    for (std::size_t k = 0; k < 3; ++k) {
      t.lower[k] = static_cast<std::int16_t>(copy[2 + k]);
      t.upper[k] = static_cast<std::int16_t>(copy[5 + k]);
    }
  }

  template <class Tensor>
  static constexpr std::uint64_t mark_of = std::is_same_v<Tensor, im2col_tensor> ? 0x32316d692d726f74 : 0x70616d2d726f7374;
};
static_assert(sizeof(tensor_map_layout) <= sizeof(tensor_map) && std::is_trivially_copyable_v<tensor_map_layout>);

}  // namespace detail

/// The bytes for a tiled_tensor or an im2col_tensor, whose rules need not all hold: a program may replace fields one by
/// one.
template <class Tensor> tensor_map pack(const Tensor& t) {
  detail::tensor_map_layout made;
  made.put(t);
  made.address = t.address;
  made.strides = t.strides;
  made.extents = t.extents;
  for (std::size_t k = 0; k < 5; ++k) made.steps[k] = static_cast<std::uint8_t>(t.steps[k]);
  made.type = static_cast<std::uint8_t>(t.type);
  made.rank = static_cast<std::uint8_t>(t.rank);
  made.interleave = static_cast<std::uint8_t>(t.interleave);
  made.swizzle = static_cast<std::uint8_t>(t.swizzle);
  made.fill = static_cast<std::uint8_t>(t.fill);
  tensor_map out;
  std::memcpy(out.bytes.data(), &made, sizeof made);
  return out;
}

/// What a map of `Tensor`'s kind says. Returns: nothing for other bytes.
template <class Tensor> std::optional<Tensor> unpack(const tensor_map& map) {
  detail::tensor_map_layout from;
  std::memcpy(&from, map.bytes.data(), sizeof from);
  if (from.mark != detail::tensor_map_layout::mark_of<Tensor>) return std::nullopt;
  Tensor out;
  from.get(out);
  out.address = from.address;
  out.strides = from.strides;
  out.extents = from.extents;
  std::copy(from.steps.begin(), from.steps.end(), out.steps.begin());
  out.type = static_cast<tensor_type>(from.type);
  out.rank = from.rank;
  out.interleave = static_cast<tensor_interleave>(from.interleave);
  out.swizzle = static_cast<tensor_swizzle>(from.swizzle);
  out.fill = static_cast<tensor_fill>(from.fill);
  return out;
}

/// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col. Returns: the rule that `t` breaks, and then `to` is as it was;
/// empty: `to` holds the map.
template <class Tensor> std::string_view encode(tensor_map& to, const Tensor& t) {
  const std::string_view broken = broken_rule(t);
  if (broken.empty()) to = pack(t);
  return broken;
}

/// cuTensorMapReplaceAddress. Returns: false where `map` is none or the address is misaligned.
inline bool replace_address(tensor_map& map, std::uint64_t address) {
  const auto replaced = [&](auto t) {
    if (!t) return false;
    t->address = address;
    return encode(map, *t).empty();
  };
  return replaced(unpack<tiled_tensor>(map)) || replaced(unpack<im2col_tensor>(map));
}

}  // namespace tg::emulator
