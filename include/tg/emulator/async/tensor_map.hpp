// A tensor map: 128 bytes that say where a tensor lies in global memory and which box of it one copy moves.
// How the bytes are laid out is our own; the driver's is not documented.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <tg/ptx/token.hpp>
#include <tg/ptx/type.hpp>

namespace tg::emulator {

/// Numbered as CUtensorMapDataType. Source: cuda.h.
enum class tensor_type : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };

/// Numbered as CUtensorMapInterleave.
enum class tensor_interleave : std::uint8_t { none, bytes_16, bytes_32 };

/// Numbered as CUtensorMapSwizzle.
enum class tensor_swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };

/// What lies outside the tensor is read as.
enum class tensor_fill : std::uint8_t { zero, nan };

constexpr std::uint32_t element_bytes(tensor_type t) {
  constexpr std::uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[static_cast<std::size_t>(t)];
}
constexpr bool is_float(tensor_type t) { return t >= tensor_type::f16; }

/// The arguments of cuTensorMapEncodeTiled. Shapes: extents and steps innermost first, `strides` from dimension 1 on.
struct tiled_tensor {
  tensor_type type = tensor_type::u8;
  std::uint32_t rank = 1;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 5> extents{1, 1, 1, 1, 1};  // elements
  std::array<std::uint64_t, 4> strides{};               // bytes
  std::array<std::uint32_t, 5> box{1, 1, 1, 1, 1};      // elements, before steps skip some
  std::array<std::uint32_t, 5> steps{1, 1, 1, 1, 1};    // elements; the innermost is not looked at
  tensor_interleave interleave = tensor_interleave::none;
  tensor_swizzle swizzle = tensor_swizzle::none;
  tensor_fill fill = tensor_fill::zero;
};

/// As large and as aligned as CUtensorMap.
struct alignas(64) tensor_map {
  std::array<std::byte, 128> bytes{};
};

/// Which rule `t` breaks that the driver checks; empty: none.
/// Source: CUDA driver API, "Tensor Map Object Management", cuTensorMapEncodeTiled.
constexpr std::string_view broken_rule(const tiled_tensor& t) {
  const bool is_interleaved = t.interleave != tensor_interleave::none;
  const std::uint64_t unit = t.interleave == tensor_interleave::bytes_32 ? 32 : 16;
  if (t.type > tensor_type::tf32_ftz) return "the type of the elements is not known";
  if (t.rank < 1 || t.rank > 5) return "a tensor has 1 to 5 dimensions";
  if (is_interleaved && t.rank < 3) return "an interleaved tensor has at least 3 dimensions";
  if (t.address % unit != 0) return "the address is a multiple of 16, of 32 where it is interleaved by 32 bytes";
  for (std::size_t k = 0; k < t.rank; ++k) {
    if (t.extents[k] == 0 || t.extents[k] > std::uint64_t{1} << 32) return "an extent is 1 to 2^32 elements";
    if (t.box[k] == 0 || t.box[k] > 256) return "an extent of the box is 1 to 256 elements";
    if (t.steps[k] == 0 || t.steps[k] > 8) return "a step is 1 to 8 elements";
    if (k + 1 < t.rank && (t.strides[k] % unit != 0 || t.strides[k] >= std::uint64_t{1} << 40))
      return "a stride is a multiple of 16 bytes below 2^40, of 32 where the tensor is interleaved by 32 bytes";
  }
  const std::uint64_t inner = std::uint64_t{t.box[0]} * element_bytes(t.type);
  if (!is_interleaved && inner % 16 != 0) return "the innermost extent of the box is a multiple of 16 bytes";
  if (t.swizzle > tensor_swizzle::bytes_128) return "the swizzle is not known";
  if (!is_interleaved && t.swizzle != tensor_swizzle::none && inner > 16u << static_cast<unsigned>(t.swizzle))
    return "the innermost extent of the box is at most as long as the swizzle";
  if (t.interleave == tensor_interleave::bytes_32 && t.swizzle != tensor_swizzle::bytes_32)
    return "a tensor interleaved by 32 bytes has a swizzle of 32 bytes";
  if (t.fill == tensor_fill::nan && !is_float(t.type)) return "only floats are filled with NaN";
  return {};
}

namespace detail {

/// How the 128 bytes are used.
struct tensor_map_layout {
  static constexpr std::uint64_t mark = 0x70616d2d726f7374;
  std::uint64_t marked = mark;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 4> strides{};
  std::array<std::uint64_t, 5> extents{};
  std::array<std::uint16_t, 5> box{};
  std::array<std::uint8_t, 5> steps{};
  std::uint8_t type = 0, rank = 0, interleave = 0, swizzle = 0, fill = 0;
};
static_assert(sizeof(tensor_map_layout) <= sizeof(tensor_map) && std::is_trivially_copyable_v<tensor_map_layout>);

}  // namespace detail

/// The bytes for `t`, whose rules need not all hold: a program may replace fields one by one.
inline tensor_map pack(const tiled_tensor& t) {
  detail::tensor_map_layout made;
  made.address = t.address;
  made.strides = t.strides;
  made.extents = t.extents;
  for (std::size_t k = 0; k < 5; ++k) {
    made.box[k] = static_cast<std::uint16_t>(t.box[k]);
    made.steps[k] = static_cast<std::uint8_t>(t.steps[k]);
  }
  made.type = static_cast<std::uint8_t>(t.type);
  made.rank = static_cast<std::uint8_t>(t.rank);
  made.interleave = static_cast<std::uint8_t>(t.interleave);
  made.swizzle = static_cast<std::uint8_t>(t.swizzle);
  made.fill = static_cast<std::uint8_t>(t.fill);
  tensor_map out;
  std::memcpy(out.bytes.data(), &made, sizeof made);
  return out;
}

/// What a map says. Returns: nothing for bytes that are no map.
inline std::optional<tiled_tensor> unpack(const tensor_map& map) {
  detail::tensor_map_layout from;
  std::memcpy(&from, map.bytes.data(), sizeof from);
  if (from.marked != detail::tensor_map_layout::mark) return std::nullopt;
  tiled_tensor out;
  out.address = from.address;
  out.strides = from.strides;
  out.extents = from.extents;
  for (std::size_t k = 0; k < 5; ++k) {
    out.box[k] = from.box[k];
    out.steps[k] = from.steps[k];
  }
  out.type = static_cast<tensor_type>(from.type);
  out.rank = from.rank;
  out.interleave = static_cast<tensor_interleave>(from.interleave);
  out.swizzle = static_cast<tensor_swizzle>(from.swizzle);
  out.fill = static_cast<tensor_fill>(from.fill);
  return out;
}

/// cuTensorMapEncodeTiled. Returns: the rule that `t` breaks, and then `to` is as it was; empty: `to` holds the map.
inline std::string_view encode_tiled(tensor_map& to, const tiled_tensor& t) {
  const std::string_view broken = broken_rule(t);
  if (broken.empty()) to = pack(t);
  return broken;
}

/// cuTensorMapReplaceAddress. Returns: false where `map` is none or the address is misaligned.
inline bool replace_address(tensor_map& map, std::uint64_t address) {
  auto t = unpack(map);
  if (!t) return false;
  t->address = address;
  if (!broken_rule(*t).empty()) return false;
  map = pack(*t);
  return true;
}

}  // namespace tg::emulator
