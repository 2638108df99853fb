// Operands of wgmma in shared memory: tiles, described by 64 bits.
//
// A line is a row of A or a column of B. k_major: lines are rows of the tile, their depth along its columns. mn_major: lines
// are columns of the tile, their depth down its rows. Rows of the tile have the bytes of its swizzle, 16 without one; wider
// operands are tiles of rank 3, chunk behind chunk, as tensor copies make them:
//
//   rank 2  tile(line, depth)                 rank 3  tile(depth / chunk, line, depth % chunk)      k_major
//           tile(depth, line)                         tile(line / chunk, depth, line % chunk)       mn_major
//
//   63-62 swizzle (0 none, 1 of 128, 2 of 64, 3 of 32 bytes) | 45-32 stride | 29-16 leading | 13-0 start, in 16 bytes
//
// Source: PTX ISA 9.0, "Asynchronous warpgroup-level matrix shared memory layout", "Matrix descriptor".
#pragma once

#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/dsl/wgmma/group_shape.hpp>

namespace tg {

/// Along which side of an operand its elements are neighbours in memory: its depth k, or its lines m or n.
enum class major { k, mn };

namespace diagnosis {

/// In a compile error: along which side elements are neighbours in memory.
template <major> struct neighbours_along {};
/// In a compile error: bytes of a row of the tile.
template <int> struct row_bytes {};
/// In a compile error: rows of the tile.
template <int> struct rows {};

template <bool Ok, class Facts = void> struct operand_tile {
  static_assert(Ok,
                "TG151: wgmma reads tiles of rank 2 or 3 whose rows are 32, 64 or 128 bytes with the swizzle of that width, "
                "or 16 bytes without one, and 8 rows or a multiple; neighbours along m or n only with 16 bits");
};
template <bool Ok, class Facts = void> struct operand_part {
  static_assert(Ok,
                "TG151: a part of an operand has whole groups of 8 lines, whole rows of its tile or whole instructions, and "
                "begins at a multiple of its extent");
};

}  // namespace diagnosis

namespace detail {

constexpr int log2_of(int n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

/// What is known of a tile as an operand; `Rows` of each of `Chunks`, which are `RowBytes` wide.
template <int Chunks, int Rows, int RowBytes, int ElementBytes, class Layout> struct operand_tile_facts {
  static constexpr int chunks = Chunks;
  static constexpr int rows = Rows;
  static constexpr int row_bytes = RowBytes;
  static constexpr int bits = log2_of(RowBytes / 16);
  using wanted = swizzle_t<bits, log2_of(16 / ElementBytes), 3>;
  static constexpr bool has_width = RowBytes == 16 || RowBytes == 32 || RowBytes == 64 || RowBytes == 128;
  static constexpr bool fits = has_width && Rows % 8 == 0 &&
                               (RowBytes == 16 ? !layout_rules<Layout, RowBytes / ElementBytes>::permutes &&
                                                     layout_rules<Layout, RowBytes / ElementBytes>::pitch * ElementBytes == 16
                                               : std::is_same_v<Layout, wanted>);
  using facts = diagnosis::types<diagnosis::row_bytes<RowBytes>, diagnosis::rows<Rows>, diagnosis::given<Layout>,
                                 diagnosis::try_swizzle<bits, log2_of(16 / ElementBytes), 3>>;
};

template <class Tile> struct operand_tile_of { static constexpr bool is_tile = false; };
template <class T, int R, int C, class Layout> struct operand_tile_of<tile<T, shape_t<R, C>, Layout>> {
  static constexpr bool is_tile = true;
  using facts = operand_tile_facts<1, R, C* static_cast<int>(sizeof(T)), sizeof(T), Layout>;
};
template <class T, int N, int R, int C, class Layout> struct operand_tile_of<tile<T, shape_t<N, R, C>, Layout>> {
  static constexpr bool is_tile = true;
  using facts = operand_tile_facts<N, R, C* static_cast<int>(sizeof(T)), sizeof(T), Layout>;
};
template <class T, int All, int C, class Layout, int Rows, mode Mode, class First>
struct operand_tile_of<stage_view<tile<T, shape_t<All, C>, Layout>, Rows, Mode, First>> {
  static constexpr bool is_tile = true;
  using facts = operand_tile_facts<1, Rows, C* static_cast<int>(sizeof(T)), sizeof(T), Layout>;
};

/// The low word of a descriptor: start and leading distance. The tile is made to begin where its swizzle begins.
ptx::operand operand_start(const tile_registers& tile, int alignment_bytes, int leading_bytes);
/// That `bytes` further on, times `count` where it is a register.
ptx::operand operand_after(const ptx::operand& start, const ptx::operand& count, int bytes);
/// A descriptor.
ptx::operand operand_descriptor(const ptx::operand& start, int offset_bytes, int stride_bytes, int swizzle_bytes);

}  // namespace detail

/// What is made of a tile that is refused, so that one mistake is one error.
struct refused_operand {
  refused_operand operator-() const { return {}; }
  template <class Count, class I> refused_operand part(const Count&, const I&) const { return {}; }
  template <class Count, class I> refused_operand slice(const Count&, const I&) const { return {}; }
};

/// `Lines` rows of A or columns of B, of `Depth` elements of T each, in shared memory; `k_major` and `mn_major` make it. `-a`
/// is subtracted. `RowBytes`: those of the tile's rows, the width of its swizzle; `ChunkBytes`: from one chunk to the next.
template <class T, int Lines, int Depth, major Major, int RowBytes, int ChunkBytes, bool IsNegative = false>
struct shared_operand {
  using element_type = T;
  static constexpr int lines = Lines;
  static constexpr int depth = Depth;
  static constexpr bool is_mn_major = Major == major::mn;
  static constexpr bool is_negative = IsNegative;
  static constexpr int row_bytes = RowBytes;
  static constexpr int chunk_bytes = ChunkBytes;
  static constexpr int swizzle_bytes = RowBytes == 16 ? 0 : RowBytes;
  static constexpr int alignment_bytes = RowBytes == 16 ? 16 : 8 * RowBytes;
  // Without a swizzle 8 rows of 16 bytes are 128 bytes; along the depth of k_major and along the lines of mn_major follow
  // chunks.
  static constexpr bool has_swizzle = RowBytes != 16;
  static constexpr int leading_bytes = has_swizzle ? (is_mn_major ? ChunkBytes : 16) : (is_mn_major ? 128 : ChunkBytes);
  static constexpr int stride_bytes = has_swizzle ? 8 * RowBytes : (is_mn_major ? ChunkBytes : 128);

  ptx::operand start;  // the low word of its descriptor

  /// Bytes from the start to the first element of step `number`, each `K` deep.
  static constexpr int step_bytes(int number, int k) {
    if (is_mn_major) return number * k * RowBytes;
    const int along = number * k * mma_element<T>::bits / 8;
    return along / RowBytes * ChunkBytes + along % RowBytes;
  }
  /// Bytes from the start to line `line`, a multiple of 8; of mn_major one that begins a row of the tile.
  static constexpr int line_bytes(int line) { return is_mn_major ? line * 2 / RowBytes * ChunkBytes : line * RowBytes; }

  /// The descriptor of what begins at step `number` and line `line`.
  ptx::operand descriptor(int number, int k, int line) const {
    return detail::operand_descriptor(start, step_bytes(number, k) + line_bytes(line), stride_bytes, swizzle_bytes);
  }

  shared_operand<T, Lines, Depth, Major, RowBytes, ChunkBytes, !IsNegative> operator-() const { return {start}; }

  /// `Count` lines from `Count` * `number` on: `a.part(64_c, group.index)`. `number` is the same in all threads of a warpgroup.
  /// Errors: TG151.
  template <long long Count, operand_like I> auto part(constant<Count>, const I& number) const {
    constexpr int count = static_cast<int>(Count);
    constexpr bool fits = count > 0 && count % 8 == 0 && Lines % count == 0 && (!is_mn_major || count * 2 % RowBytes == 0);
    return moved<count, Depth, fits, line_bytes(count)>(number);
  }
  /// `Count` deep from `Count` * `number` on: `a.slice(64_c, k)`. Errors: TG151.
  template <long long Count, operand_like I> auto slice(constant<Count>, const I& number) const {
    constexpr int count = static_cast<int>(Count), bytes = count * mma_element<T>::bits / 8;
    constexpr bool is_linear = is_mn_major || bytes % RowBytes == 0;  // else a part of a row, whose place is known
    constexpr bool fits = count > 0 && Depth % count == 0 && count % detail::group_depth<T> == 0 &&
                          (is_linear || (is_constant<I> && RowBytes % bytes == 0));
    if constexpr (fits && !is_linear)
      return moved<Lines, count, fits, step_bytes(static_cast<int>(I::value), count)>(constant<1>{});
    else return moved<Lines, count, fits, step_bytes(1, count)>(number);
  }

 private:
  template <int L, int D, bool Fits, int Bytes, class I> auto moved(const I& number) const {
    constexpr bool is_number = [] {
      if constexpr (device_value<I>) return is_integer<device_type_of<I>> && sizeof(device_type_of<I>) == 4;
      else return true;
    }();
    using found = diagnosis::operand_part<Fits && is_number,
                                          diagnosis::types<shared_operand, diagnosis::elements<L>, diagnosis::elements<D>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return shared_operand<T, L, D, Major, RowBytes, ChunkBytes, IsNegative>{
          detail::operand_after(start, detail::operand_of<unsigned>(number), Bytes)};
    else return refused_operand{};
  }
};

/// Whether X is a `shared_operand`.
template <class X> inline constexpr bool is_shared_operand = false;
template <class T, int L, int D, major M, int R, int C, bool N>
inline constexpr bool is_shared_operand<shared_operand<T, L, D, M, R, C, N>> = true;

namespace detail {

template <class T, major Major, class Tile> auto make_operand(const Tile& t, source_location where) {
  using E = std::conditional_t<std::is_void_v<T>, typename Tile::element_type, T>;
  constexpr bool is_operand = mma_operand_type<E> && operand_tile_of<Tile>::is_tile;
  if constexpr (!is_operand) {
    (void)sizeof(diagnosis::operand_tile<false, diagnosis::types<E, Tile>>);
    return refused_operand{};
  } else {
    using facts = typename operand_tile_of<Tile>::facts;
    constexpr int bits = mma_element<E>::bits;
    constexpr bool fits = facts::fits && (Major == major::k || bits == 16) && (bits < 8 || bits == 8 * Tile::element_bytes);
    using found = diagnosis::operand_tile<fits, diagnosis::types<diagnosis::neighbours_along<Major>, E, typename facts::facts>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      constexpr int wide = facts::chunks * facts::row_bytes * 8 / bits;
      using operand = shared_operand<E, Major == major::k ? facts::rows : wide, Major == major::k ? wide : facts::rows, Major,
                                     facts::row_bytes, facts::rows * facts::row_bytes>;
      auto& recording = tracer::current(where);
      recording.at(where);
      if constexpr (requires { t.whole(); }) {
        constexpr int stage_bytes = facts::rows * facts::row_bytes;
        (void)sizeof(diagnosis::operand_tile<stage_bytes % operand::alignment_bytes == 0, typename facts::facts>);
        const ptx::operand whole = operand_start(t.whole().registers(), operand::alignment_bytes, operand::leading_bytes);
        return operand{operand_after(whole, operand_of<unsigned>(t.first_row()), facts::row_bytes)};
      } else {
        return operand{operand_start(t.registers(), operand::alignment_bytes, operand::leading_bytes)};
      }
    } else {
      return refused_operand{};
    }
  }
}

}  // namespace detail

/// A tile whose rows are rows of A or columns of B: `tg::k_major(tile)`. With T named, its elements are taken for T: tf32 in a
/// tile of float, `b1` in one of unsigned. The tile begins where its swizzle does, at a multiple of up to 1024 bytes.
/// Requires: `tg::swizzle<1 to 3, M, 3>` of 16 bytes, rows of 32 to 128 bytes, or rows of 16 bytes and no swizzle. What threads
/// wrote to it is seen after `tg::fence_async()` and a barrier. Errors: TG151.
template <class T = void, class Tile> auto k_major(const Tile& tile, source_location where = source_location::current()) {
  return detail::make_operand<T, major::k>(tile, where);
}
/// A tile whose columns are rows of A or columns of B, of 16-bit elements. Errors: TG151.
template <class T = void, class Tile> auto mn_major(const Tile& tile, source_location where = source_location::current()) {
  return detail::make_operand<T, major::mn>(tile, where);
}

}  // namespace tg
