// One box or column of a tensor: which bytes of global memory go to which bytes of shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tg/emulator/async/tensor_map.hpp>
#include <tg/emulator/image/oob_nan.hpp>

namespace tg::emulator {

/// Where a byte of a tile lies: the 16-byte chunk within a row of the swizzle is mixed with the number of the row.
///
///   128 bytes: address bits 6-4 ^= bits 9-7; 64: bits 5-4 ^= bits 8-7; 32: bit 4 ^= bit 7
///
/// Source: PTX ISA 9.0, 5.5.7 "Swizzling modes".
constexpr std::uint32_t swizzled(std::uint32_t address, tensor_swizzle how) {
  const std::uint32_t mask = (1u << static_cast<unsigned>(how)) - 1;
  return address ^ (((address >> 7) & mask) << 4);
}

/// In shared memory a row of innermost elements follows the other, with a swizzle each in as many bytes as that is wide; of a
/// column, the channels of a pixel are a row. Source of the gaps behind shorter rows: an H100.
class tensor_box {
 public:
  tensor_box(const tiled_tensor& t, const tensor_index& at) : tensor_(t), at_(at) {
    for (std::size_t k = 0; k < t.rank; ++k) {
      const std::uint32_t step = k == 0 ? 1 : t.steps[k];
      counts_[k] = (t.box[k] + step - 1) / step;
    }
  }
  tensor_box(const im2col_tensor& t, const tensor_index& at, const im2col_offsets& offsets)
      : tensor_(t), at_(at), counts_{t.channels, t.pixels, 1, 1, 1}, column_(column_of(t, at, offsets)) {}

  std::uint32_t row_bytes() const { return counts_[0] * element_bytes(tensor_.type); }
  /// From one row to the next in shared memory.
  std::uint32_t row_pitch() const {
    return tensor_.swizzle == tensor_swizzle::none ? row_bytes() : 16u << static_cast<unsigned>(tensor_.swizzle);
  }
  std::uint32_t rows() const { return counts_[1] * counts_[2] * counts_[3] * counts_[4]; }
  /// Bytes of the whole box in shared memory, including what is outside the tensor.
  std::uint32_t bytes() const { return row_bytes() * rows(); }
  /// From its first to its last byte there.
  std::uint32_t shared_bytes() const { return (rows() - 1) * row_pitch() + row_bytes(); }

  /// The part of a row that is inside the tensor.
  struct row {
    std::uint64_t address = 0;     // of its first byte inside, in global memory
    std::uint32_t skip_bytes = 0;  // of the row before it
    std::uint32_t bytes = 0;       // inside; 0: the row is outside
  };

  row find(std::uint32_t number) const {
    const tensor_index index = column_.empty() ? row_of_tile(number) : column_[number];
    std::uint64_t address = tensor_.address;
    for (std::size_t k = 1; k < tensor_.rank; ++k) {
      if (index[k] < 0 || index[k] >= static_cast<std::int64_t>(tensor_.extents[k])) return {};
      address += static_cast<std::uint64_t>(index[k]) * tensor_.strides[k - 1];
    }
    const std::int64_t first = std::max<std::int64_t>(at_[0], 0),
                       last = std::min(at_[0] + counts_[0], static_cast<std::int64_t>(tensor_.extents[0]));
    if (first >= last) return {};
    const std::uint32_t unit = element_bytes(tensor_.type);
    return {address + static_cast<std::uint64_t>(first) * unit, static_cast<std::uint32_t>(first - at_[0]) * unit,
            static_cast<std::uint32_t>(last - first) * unit};
  }

  /// What stands in shared memory for an element outside.
  std::array<std::byte, 8> fill() const {
    const std::uint64_t bits = tensor_.fill == tensor_fill::nan ? oob_nan : 0;
    std::array<std::byte, 8> out;
    std::memcpy(out.data(), &bits, 8);
    return out;
  }

  const tensor_shape& tensor() const { return tensor_; }

 private:
  tensor_index row_of_tile(std::uint32_t number) const {
    tensor_index out = at_;
    for (std::size_t k = 1; k < tensor_.rank; ++k) {
      out[k] += std::int64_t{number % counts_[k]} * tensor_.steps[k];
      number /= counts_[k];
    }
    return out;
  }

  tensor_shape tensor_;
  tensor_index at_;
  std::array<std::uint32_t, 5> counts_{1, 1, 1, 1, 1};
  dynamic_array<tensor_index> column_;  // empty: a tile
};

}  // namespace tg::emulator
