// How the elements of a tile are spread over registers, lanes and warps, as a value that types carry: each bit of the number
// of a register, a lane or a warp moves by a power of two along the rows or the columns, so that a place is a sum of bits.
//
//   sums of mma.sync, 16 x 8:   register bit 0: 1 column, bit 1: 8 rows;   lane bits 0, 1: 2 and 4 columns, 2 to 4: 1, 2, 4
//   rows
//
// A bit that moves nowhere means that the element is held twice.
#pragma once

#include <type_traits>

namespace tg {

/// Rows and columns that a bit moves by, or that an element is at.
struct tile_place {
  int row = 0;
  int column = 0;

  friend constexpr bool operator==(const tile_place&, const tile_place&) = default;
};

/// Which element of a tile each register of each thread holds. Extents are powers of two.
struct distribution {
  static constexpr int most_bits = 24;
  static constexpr int lane_bits = 5;

  int rows = 1;
  int columns = 1;
  int register_bits = 0;
  int warp_bits = 0;
  tile_place bits[most_bits] = {};  // of registers, then of lanes, then of warps

  friend constexpr bool operator==(const distribution&, const distribution&) = default;

  /// Registers of a thread.
  constexpr int registers() const { return 1 << register_bits; }
  /// Where register `r` is, from the first element of the thread on.
  constexpr tile_place at(int r) const { return sum(0, register_bits, r); }
  /// Where the first element of a lane is, from that of its warp on.
  constexpr tile_place lane(int l) const { return sum(register_bits, lane_bits, l); }
  /// Where the first element of a warp is.
  constexpr tile_place warp(int w) const { return sum(register_bits + lane_bits, warp_bits, w); }

  /// As the elements of one column (`of_rows`) or of one row would be spread: what a reduction along the rows or columns
  /// leaves, held by all threads that took part.
  constexpr distribution slice(bool of_rows) const {
    distribution out{.rows = of_rows ? rows : 1, .columns = of_rows ? 1 : columns, .register_bits = 0, .warp_bits = warp_bits};
    int next = 0;
    for (int b = 0; b < register_bits + lane_bits + warp_bits; ++b) {
      const tile_place left = of_rows ? tile_place{bits[b].row, 0} : tile_place{0, bits[b].column};
      if (b < register_bits && left == tile_place{}) continue;
      if (b < register_bits) ++out.register_bits;
      out.bits[next++] = left;
    }
    return out;
  }
  /// The register of `slice(of_rows)` that belongs to register `r`.
  constexpr int in_slice(bool of_rows, int r) const {
    int out = 0, next = 0;
    for (int b = 0; b < register_bits; ++b)
      if ((of_rows ? bits[b].row : bits[b].column) != 0) out |= (r >> b & 1) << next++;
    return out;
  }

  /// As a column for each thread that holds a part of a row would be spread: what a reduction along rows leaves before threads
  /// exchange anything. Its registers are those of `slice(true)`.
  constexpr distribution row_parts() const {
    distribution out = slice(true);
    const int end = register_bits + lane_bits + warp_bits;
    for (int b = register_bits; b < end; ++b) {
      if (bits[b].column == 0) continue;
      int below = 0;  // bits that move by fewer columns
      for (int c = register_bits; c < end; ++c) below += bits[c].column != 0 && bits[c].column < bits[b].column ? 1 : 0;
      out.bits[out.register_bits + b - register_bits].column = 1 << below;
      out.columns *= 2;
    }
    return out;
  }

  /// How the transpose of the tile is spread over these threads and registers.
  constexpr distribution transposed() const {
    distribution out = *this;
    out.rows = columns;
    out.columns = rows;
    for (tile_place& bit : out.bits) bit = {bit.column, bit.row};
    return out;
  }

  /// As the columns of another tile are spread, each of which stands for `count` beside each other of this one.
  constexpr distribution coarse(int count) const {
    distribution out{.rows = rows, .columns = columns / count, .register_bits = 0, .warp_bits = warp_bits};
    int next = 0;
    for (int b = 0; b < register_bits + lane_bits + warp_bits; ++b) {
      const tile_place left{bits[b].row, bits[b].column / count};
      if (b < register_bits && left == tile_place{}) continue;
      if (b < register_bits) ++out.register_bits;
      out.bits[next++] = left;
    }
    return out;
  }
  /// The register of `coarse(count)` that belongs to register `r`.
  constexpr int in_coarse(int count, int r) const {
    int out = 0, next = 0;
    for (int b = 0; b < register_bits; ++b)
      if (bits[b].row != 0 || bits[b].column >= count) out |= (r >> b & 1) << next++;
    return out;
  }

  /// The register whose element is at `place` from the first one of the thread; -1 where none is.
  constexpr int register_at(tile_place place) const {
    int out = 0;
    for (int b = 0; b < register_bits; ++b) {
      const bool moves_row = bits[b].row != 0;
      int& left = moves_row ? place.row : place.column;
      const int step = moves_row ? bits[b].row : bits[b].column;
      if (step == 0 || (left & step) == 0) continue;
      out |= 1 << b;
      left -= step;
    }
    return place == tile_place{} ? out : -1;
  }
  /// Whether each thread has all that it has when the tile is spread as `other` says.
  constexpr bool holds(const distribution& other) const {
    if (warp_bits != other.warp_bits) return false;
    for (int b = 0; b < lane_bits + warp_bits; ++b)
      if (bits[register_bits + b] != other.bits[other.register_bits + b]) return false;
    for (int r = 0; r < other.registers(); ++r)
      if (register_at(other.at(r)) < 0) return false;
    return true;
  }

  /// Elements along a row that lie in registers one after the other, beginning with each register whose number is a multiple of
  /// it.
  constexpr int run() const {
    int out = 1;
    for (int b = 0; b < register_bits && bits[b] == tile_place{0, out}; ++b) out *= 2;
    return out;
  }

 private:
  constexpr tile_place sum(int first, int count, int number) const {
    tile_place out;
    for (int b = 0; b < count; ++b)
      if (number >> b & 1) {
        out.row += bits[first + b].row;
        out.column += bits[first + b].column;
      }
    return out;
  }
};

namespace detail {

constexpr bool is_power_of_two(int n) { return n > 0 && (n & (n - 1)) == 0; }

/// Deals bits out, the lowest first.
struct distribution_maker {
  distribution out;
  int next = 0;

  constexpr void rows(int from, int to) {
    for (; from < to; from *= 2) out.bits[next++] = {from, 0};
  }
  constexpr void columns(int from, int to) {
    for (; from < to; from *= 2) out.bits[next++] = {0, from};
  }
  constexpr void end_of_registers() { out.register_bits = next; }
  constexpr void fill_lanes() {
    while (next < out.register_bits + distribution::lane_bits) out.bits[next++] = {};
  }
  constexpr void end_of_warps() { out.warp_bits = next - out.register_bits - distribution::lane_bits; }
};

/// The sums of products by mma.sync, 16 x 8 each, over `warp_rows` x `warp_columns` warps, each of which has a rectangle.
/// Source: PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16".
constexpr distribution sums_distribution(int rows, int columns, int warp_rows, int warp_columns) {
  distribution_maker m{{.rows = rows, .columns = columns}};
  const int own_rows = rows / warp_rows, own_columns = columns / warp_columns;
  m.columns(1, 2);
  m.rows(8, 16);
  m.columns(8, own_columns);
  m.rows(16, own_rows);
  m.end_of_registers();
  m.columns(2, 8);
  m.rows(1, 8);
  m.columns(own_columns, columns);
  m.rows(own_rows, rows);
  m.end_of_warps();
  return m.out;
}

/// A left operand of those products: a warp has all columns of its rows, and so have the warps beside it.
constexpr distribution left_distribution(int rows, int columns, int warp_rows, int warp_columns) {
  distribution out = sums_distribution(rows, columns, warp_rows, 1);
  const int first = out.register_bits + distribution::lane_bits;
  for (; warp_columns > 1; warp_columns /= 2) {
    for (int b = first + out.warp_bits; b > first; --b) out.bits[b] = out.bits[b - 1];
    out.bits[first] = {};
    ++out.warp_bits;
  }
  return out;
}

/// The sums of products by wgmma over the warpgroups of a block, one below the other: each has 64 rows, or several times 64, of
/// which a warp has 16 and 16. Source: PTX ISA 9.0, "Register fragments and shared memory matrix layouts" of wgmma.
constexpr distribution group_distribution(int rows, int columns, int groups) {
  distribution_maker m{{.rows = rows, .columns = columns}};
  m.columns(1, 2);
  m.rows(8, 16);
  m.columns(8, columns);
  m.rows(64, rows / groups);
  m.end_of_registers();
  m.columns(2, 8);
  m.rows(1, 8);
  m.rows(16, 64);
  m.rows(rows / groups, rows);
  m.end_of_warps();
  return m.out;
}

/// The sums of products by fused multiply-add: a thread has every fourth row of its warp and runs of 4 columns, 32 apart. Lanes
/// whose numbers differ in bit 0 or 4 share columns, in bits 1 to 3 rows: operands of 16 bytes then take two cycles, not four.
/// Source: NVIDIA developer forum, "Unexpected shared memory bank conflict", on pairs of threads with one address.
constexpr distribution fma_distribution(int rows, int columns, int warp_rows, int warp_columns) {
  distribution_maker m{{.rows = rows, .columns = columns}};
  const int own_rows = rows / warp_rows, own_columns = columns / warp_columns;
  m.columns(1, 4);
  m.columns(32, own_columns);
  m.rows(4, own_rows);
  m.end_of_registers();
  m.rows(1, 2);
  m.columns(4, 32);
  m.rows(2, 4);
  m.columns(own_columns, columns);
  m.rows(own_rows, rows);
  m.end_of_warps();
  return m.out;
}

/// Rows as they lie in memory: a thread has `run` neighbours, its neighbour the next ones. Warps take rows first, so that a row
/// stays in a warp where there are enough. Threads that are left over hold what others hold.
constexpr distribution run_distribution(int rows, int columns, int warps, int run) {
  distribution_maker m{{.rows = rows, .columns = columns}};
  const auto smaller = [](int a, int b) { return a < b ? a : b; };
  const int own_run = smaller(run, columns);
  const int across = smaller(32, columns / own_run);  // lanes
  const int down = smaller(32 / across, rows);
  const int warps_down = smaller(warps, rows / down);
  const int warps_across = smaller(warps / warps_down, columns / own_run / across);
  m.columns(1, own_run);
  m.columns(own_run * across * warps_across, columns);
  m.rows(down * warps_down, rows);
  m.end_of_registers();
  m.columns(own_run, own_run * across);
  m.rows(1, down);
  m.fill_lanes();
  m.columns(own_run * across, own_run * across * warps_across);
  m.rows(down, down * warps_down);
  for (int w = warps_across * warps_down; w < warps; w *= 2) m.out.bits[m.next++] = {};
  m.end_of_warps();
  return m.out;
}

}  // namespace detail

// Distributions by name, for types that carry one.

/// Sums of products by tensor cores over `WarpRows` x `WarpColumns` warps.
template <int Rows, int Columns, int WarpRows, int WarpColumns> struct sums_spread {
  static constexpr distribution value = detail::sums_distribution(Rows, Columns, WarpRows, WarpColumns);
};
/// A left operand of products by tensor cores over `WarpRows` x `WarpColumns` warps.
template <int Rows, int Columns, int WarpRows, int WarpColumns> struct left_spread {
  static constexpr distribution value = detail::left_distribution(Rows, Columns, WarpRows, WarpColumns);
};
/// Sums of products by `Groups` warpgroups.
template <int Rows, int Columns, int Groups> struct group_spread {
  static constexpr distribution value = detail::group_distribution(Rows, Columns, Groups);
};
/// Sums of products by fused multiply-add over `WarpRows` x `WarpColumns` warps.
template <int Rows, int Columns, int WarpRows, int WarpColumns> struct fma_spread {
  static constexpr distribution value = detail::fma_distribution(Rows, Columns, WarpRows, WarpColumns);
};
/// Runs of a row beside each other.
template <int Rows, int Columns, int Warps, int Run> struct run_spread {
  static constexpr distribution value = detail::run_distribution(Rows, Columns, Warps, Run);
};
/// One number for each row, or for each column, of a tile that is spread so.
template <class Of, bool OfRows> struct slice_spread { static constexpr distribution value = Of::value.slice(OfRows); };
/// A number for each row and each thread that holds a part of it, of a tile that is spread so.
template <class Of> struct row_parts_spread { static constexpr distribution value = Of::value.row_parts(); };
/// The transpose of a tile that is spread as `Of`.
template <class Of> struct transposed_spread { static constexpr distribution value = Of::value.transposed(); };
/// Columns each of which stands for `Count` columns of a tile that is spread as `Of`.
template <class Of, int Count> struct coarse_spread { static constexpr distribution value = Of::value.coarse(Count); };
/// Nothing says how.
struct no_spread { static constexpr distribution value{.rows = 0}; };

namespace detail {

/// An operand of Rows x Columns in an expression that is spread as D: one row, one column or one element stands for all.
template <class D, int Rows, int Columns> struct operand_slice {
  static constexpr bool per_row = Columns == 1 && D::value.columns != 1;
  static constexpr bool per_column = Rows == 1 && D::value.rows != 1;
  using first_column = std::conditional_t<per_row, slice_spread<D, true>, D>;
  /// How the operand itself is spread.
  using spread = std::conditional_t<per_column, slice_spread<first_column, false>, first_column>;

  /// The register of the operand that belongs to register `r` of the expression.
  static constexpr int register_of(int r) {
    if (per_row && per_column) return 0;
    return per_row || per_column ? D::value.in_slice(per_row, r) : r;
  }
};

}  // namespace detail

}  // namespace tg
