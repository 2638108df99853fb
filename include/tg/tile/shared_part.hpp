// Tiles in shared memory as operands of products, and the swizzle that serves who writes rows and who reads fragments.
#pragma once

#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/diagnosis.hpp>
#include <tg/tile/team.hpp>

namespace tg {

namespace detail {

constexpr int swizzle_bits_of(int n) {
  int out = 0;
  while (n > 1) n /= 2, ++out;
  return out;
}

/// Eight rows of 16 bytes, one below the other, lie in different banks, and so do 16-byte pieces side by side: pieces of a row
/// are permuted by the number of the 128-byte line that it is in.
template <int Columns, int ElementBytes> constexpr auto fragment_swizzle() {
  constexpr int piece = 16 / ElementBytes;
  constexpr int pieces = Columns / piece;
  constexpr int line = 128 / ElementBytes;
  constexpr int bits = pieces >= 8 ? 3 : swizzle_bits_of(pieces);
  constexpr int from = swizzle_bits_of(Columns > line ? Columns : line);
  return swizzle_t<bits, swizzle_bits_of(piece), from - swizzle_bits_of(piece)>{};
}

/// Tiles of floats are read four at a time by threads whose rows lie side by side: rows of 128 bytes begin four banks after the
/// one before. No address depends on a lane and on a step at once, as it would with a swizzle.
template <int Columns> constexpr auto fma_layout() {
  if constexpr (Columns % 32 == 0) return pitch<Columns + 4>;
  else return static_cast<void*>(nullptr);
}

/// Tiles of fewer rows than a swizzle permutes by are no operands of products, and lie as they are.
template <class T, int Rows, int Columns> constexpr auto operand_layout() {
  if constexpr (Rows < 8) return static_cast<void*>(nullptr);
  else if constexpr (std::is_same_v<T, float>) return fma_layout<Columns>();
  else return fragment_swizzle<Columns, int(sizeof(T))>();
}

/// Panels of an operand of wgmma: their rows have the swizzle of their width.
template <class T, int Rows, int Columns> constexpr auto panel_layout() {
  constexpr int bytes = Columns * static_cast<int>(sizeof(T));
  if constexpr (bytes <= 16 || Rows < 8) return static_cast<void*>(nullptr);
  else return swizzle_t<swizzle_bits_of(bytes / 16), swizzle_bits_of(16 / static_cast<int>(sizeof(T))), 3>{};
}

/// `Panels` tiles side by side, each one stage of a ring behind the one before.
template <class Stage, int Panels> struct panels_of {
  using element_type = typename Stage::element_type;
  static constexpr int rows = Stage::rows;
  static constexpr int panel_columns = Stage::columns;
  static constexpr int columns = Panels * panel_columns;

  Stage first;

  /// Panel `p`, of the same type as all others.
  auto panel(int p) const {
    const auto row = first.first_row() + tg::uniform<rows>(p * rows);
    return stage_view<std::remove_cvref_t<decltype(first.whole())>, rows, mode::read, std::remove_const_t<decltype(row)>>(
        first.whole(), row);
  }
};
template <class X> inline constexpr bool is_panels = false;
template <class Stage, int Panels> inline constexpr bool is_panels<panels_of<Stage, Panels>> = true;

}  // namespace detail

/// A tile in shared memory that is ready to be read: what `tg::pipeline` gives its body. `Memory` is a tile or a stage.
template <class Memory> struct shared_part {
  using element_type = typename Memory::element_type;
  static constexpr int rows = Memory::rows;
  static constexpr int columns = Memory::columns;
  static constexpr bool is_transposed = false;
  static constexpr int first_depth = 0;  // as a right operand: its first row in memory

  Memory memory;

  // It is not assigned. Errors: TG105. A number is what an operator gives that was refused.
  template <class X> void operator=(const X&) const {
    constexpr bool is_refused = device_value<X>;
    (void)sizeof(diagnosis::stage_is_read<is_refused, X>);
  }
};

template <class Memory> shared_part(Memory) -> shared_part<Memory>;

/// A tile in shared memory with rows and columns exchanged; nothing is moved.
template <class Memory> struct transposed_part {
  using element_type = typename Memory::element_type;
  static constexpr int rows = Memory::columns;
  static constexpr int columns = Memory::rows;
  static constexpr bool is_transposed = true;
  static constexpr int first_depth = 0;

  Memory memory;
};

/// Some rows of a right operand.
template <class Of, int First, int Rows> struct depth_slice_t {
  using element_type = typename Of::element_type;
  static constexpr int rows = Rows;
  static constexpr int columns = Of::columns;
  static constexpr bool is_transposed = Of::is_transposed;
  static constexpr int first_depth = Of::first_depth + First;

  decltype(Of::memory) memory;
};

/// The transpose of a tile in shared memory, as an operand of `tg::dot`.
template <class Memory> transposed_part<Memory> transposed(const shared_part<Memory>& x) { return {x.memory}; }
template <class Memory> shared_part<Memory> transposed(const transposed_part<Memory>& x) { return {x.memory}; }

/// Rows `first` to `first + Rows - 1` of a tile in shared memory, as the right operand of `tg::dot`:
/// `tg::depth_slice<32>(tg::transposed(x), 64_c)`. Requires: multiples of what one instruction takes, 32 bytes.
template <int Rows, class Of, long long First> depth_slice_t<Of, int(First), Rows> depth_slice(const Of& x, constant<First>) {
  static_assert(First >= 0 && First % (32 / int(sizeof(typename Of::element_type))) == 0 && First + Rows <= Of::rows,
                "TG606: tg::depth_slice takes rows of the tile, from a multiple of 32 bytes on");
  return {x.memory};
}

}  // namespace tg
