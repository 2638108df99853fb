// A tensor in global memory: what tensor maps of tiles and of im2col have in common.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tg::emulator {

/// Numbered as CUtensorMapDataType. Source: cuda.h.
enum class tensor_type : std::uint8_t { u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };

/// Numbered as CUtensorMapInterleave.
enum class tensor_interleave : std::uint8_t { none, bytes_16, bytes_32 };

/// Numbered as CUtensorMapSwizzle.
enum class tensor_swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };

/// What lies outside the tensor is read as.
enum class tensor_fill : std::uint8_t { zero, nan };

/// Bytes of an element of a tensor map.
constexpr std::uint32_t element_bytes(tensor_type t) {
  constexpr std::uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[static_cast<std::size_t>(t)];
}
/// Whether elements of a tensor map are floats.
constexpr bool is_float(tensor_type t) { return t >= tensor_type::f16; }

/// Shapes: extents and steps innermost first, `strides` from dimension 1 on.
struct tensor_shape {
  tensor_type type = tensor_type::u8;
  std::uint32_t rank = 1;
  std::uint64_t address = 0;
  std::array<std::uint64_t, 5> extents{1, 1, 1, 1, 1};  // elements
  std::array<std::uint64_t, 4> strides{};               // bytes
  std::array<std::uint32_t, 5> steps{1, 1, 1, 1, 1};    // elements; the innermost is not looked at
  tensor_interleave interleave = tensor_interleave::none;
  tensor_swizzle swizzle = tensor_swizzle::none;
  tensor_fill fill = tensor_fill::zero;
};

/// Which rule `t` breaks that the driver checks for maps of both kinds; empty: none. `inner_elems` are the elements
/// that a copy takes in the innermost dimension. Source: CUDA driver API, "Tensor Map Object Management",
/// cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col.
constexpr std::string_view broken_shape_rule(const tensor_shape& t, std::uint32_t inner_elems) {
  const bool is_interleaved = t.interleave != tensor_interleave::none;
  const std::uint64_t unit = t.interleave == tensor_interleave::bytes_32 ? 32 : 16;
  if (t.type > tensor_type::tf32_ftz) return "the type of the elements is not known";
  if (t.rank < 1 || t.rank > 5) return "a tensor has 1 to 5 dimensions";
  if (is_interleaved && t.rank < 3) return "an interleaved tensor has at least 3 dimensions";
  if (t.address % unit != 0) return "the address is a multiple of 16, of 32 where it is interleaved by 32 bytes";
  for (std::size_t k = 0; k < t.rank; ++k) {
    if (t.extents[k] == 0 || t.extents[k] > std::uint64_t{1} << 32) return "an extent is 1 to 2^32 elements";
    if (t.steps[k] == 0 || t.steps[k] > 8) return "a step is 1 to 8 elements";
    if (k + 1 < t.rank && (t.strides[k] % unit != 0 || t.strides[k] >= std::uint64_t{1} << 40))
      return "a stride is a multiple of 16 bytes below 2^40, of 32 where the tensor is interleaved by 32 bytes";
  }
  const std::uint64_t inner = std::uint64_t{inner_elems} * element_bytes(t.type);
  if (inner_elems == 0 || inner_elems > 256) return "a copy takes 1 to 256 elements of the innermost dimension";
  if (!is_interleaved && inner % 16 != 0) return "the innermost extent of a copy is a multiple of 16 bytes";
  if (t.swizzle > tensor_swizzle::bytes_128) return "the swizzle is not known";
  if (!is_interleaved && t.swizzle != tensor_swizzle::none && inner > 16u << static_cast<unsigned>(t.swizzle))
    return "the innermost extent of a copy is at most as long as the swizzle";
  if (t.interleave == tensor_interleave::bytes_32 && t.swizzle != tensor_swizzle::bytes_32)
    return "a tensor interleaved by 32 bytes has a swizzle of 32 bytes";
  if (t.fill == tensor_fill::nan && !is_float(t.type)) return "only floats are filled with NaN";
  return {};
}

}  // namespace tg::emulator
