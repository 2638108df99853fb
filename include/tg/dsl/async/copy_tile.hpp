// A tile of a matrix on its way to shared memory: every thread of the block begins to copy its share.
//
//   auto ring = tg::stages<float, 2>(tg::shape<128, 8>);
//   tg::copy_tile(block, ring.fill(slot), a, top, left, rows, columns);     // a(top .., left ..), zeros past its end
//   tg::copy_rows(block, ring.fill(slot), a, pick, left, rows, columns);    // a(pick(0), left ..), a(pick(1), left ..), ...
#pragma once

#include <tg/dsl/async/async_copy_first.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/uniform.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: vectors in a row of the tile.
template <int> struct vectors_per_row {};
/// In a compile error: threads of the block.
template <int> struct threads_of_block {};

template <bool Ok, class Facts = void> struct even_share {
  static_assert(Ok, "TG163: the threads of the block do not share the rows of this tile evenly: the vectors of a row must be a "
                    "multiple of the threads, or the threads of them");
};

}  // namespace diagnosis

namespace detail {

// Elements that one copy moves: as many as the rows of both sides keep aligned, 16 bytes at most.
template <class To, class From>
inline constexpr int copied_run = [] {
  constexpr int size = To::element_bytes;
  const auto aligned =
      index::detail::gcd(From::leading_multiple_of, index::detail::gcd(From::alignment_bytes / size, To::columns));
  return static_cast<int>(index::detail::gcd(aligned, 16 / size));
}();

// Calls `copy(row, column)` for each run of elements that this thread copies to a tile like To.
// Errors: TG163.
template <class To, class From, class Block, class Copy>
void share_copies(const Block& block, const Copy& copy, source_location where) {
  constexpr int threads = Block::shape::threads;
  constexpr int run = copied_run<To, From>;
  constexpr int per_row = To::columns / run;
  constexpr int vectors = To::rows * per_row;
  using facts = diagnosis::types<diagnosis::vectors_per_row<per_row>, diagnosis::threads_of_block<threads>>;
  using found = diagnosis::even_share<threads % per_row == 0 || per_row % threads == 0, facts>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    const auto own = block.thread_index();
    const auto own_row = own / constant<per_row>{};
    const auto own_column = own % constant<per_row>{};
    // Rounds differ by a multiple of rows, or of columns: one type for all, so that each is judged once.
    const auto copy_in = [&](int round) {
      const int before = round * threads;
      const auto row = [&] {
        if constexpr (threads < per_row) return own_row + tg::uniform(before / per_row);
        else return own_row + tg::uniform<threads / per_row>(before / per_row);
      }();
      const auto column = [&] {
        if constexpr (threads < per_row)
          return own_column * constant<run>{} + tg::uniform<threads * run>(before % per_row * run);
        else return own_column * constant<run>{};
      }();
      copy(row, column);
    };
    for (int round = 0; round < vectors / threads; ++round) copy_in(round);
    if constexpr (vectors % threads != 0)
      tg::if_(own < constant<vectors % threads>{}, [&] { copy_in(vectors / threads); }, where);
  }
}

/// Where a matrix ends that a tile is copied from in runs of `run` elements.
class end_of_copies {
 public:
  /// `left`: the first column that is copied; `width`: the columns of the tile.
  end_of_copies(const value<unsigned>& left, const value<unsigned>& rows, const value<unsigned>& columns, int width, int run)
      : rows_(rows.operand), columns_(columns.operand), run_(run) {
    look(left, width);
  }

  /// How many bytes of a run from (row, column) on lie inside, of elements of `size` bytes.
  value<unsigned> bytes_inside(const value<unsigned>& row, const value<unsigned>& column, int size) const;

 private:
  void look(const value<unsigned>& left, int width);

  ptx::operand rows_, columns_;
  int run_;
  bool is_beside_tile_ = false;   // as far as the recorder knows, the tile ends where the matrix does
  bool is_between_runs_ = false;  // and each run lies inside or outside as a whole
};
template <class To, int Run, class Left, class Rows, class Columns>
end_of_copies find_end(const Left& left, const Rows& rows, const Columns& columns) {
  return {{to_value<unsigned>(left).operand},
          {to_value<unsigned>(rows).operand},
          {to_value<unsigned>(columns).operand},
          To::columns,
          Run};
}

}  // namespace detail

/// Begins to copy a tile of the matrix `from`, from its element (top, left) on, into a tile or a stage of shared
/// memory, with zeros where the `rows` and `columns` of the matrix end. Neighbouring threads copy neighbours, each as
/// many elements at a time as the contract of the leading dimension keeps aligned:
/// `tg::in2<float, tg::multiple_of<4>>` gives 16 bytes. Where the recorder knows that `columns` is a multiple of that, the
/// matrix ends between two copies, and each is whole or zeros. Where `columns` is written as `left + width`, with the
/// width of the tile, none is cut.
/// Requires: called by all threads of the block; `left` is a multiple of what is copied at a time; top, left, rows and
/// columns are unsigned.
/// Errors: TG142 for elements of 1 or 2 bytes without a contract, TG163, TG201 to TG204 for the two sides.
/// PTX: cp.async with the size of the source; sm_80.
template <class Block, class To, class From, operand_like Top, operand_like Left, operand_like Rows, operand_like Columns>
void copy_tile(const Block& block, const To& to, const From& from, const Top& top, const Left& left, const Rows& rows,
               const Columns& columns, source_location where = source_location::current()) {
  constexpr int run = detail::copied_run<To, From>;
  detail::tracer::current(where).at(where);
  const detail::end_of_copies end = detail::find_end<To, run>(left, rows, columns);
  const auto copy = [&](const auto& row, const auto& column) {
    const auto target = to.template vec<run>(row, column, detail::checked{}, where);
    const auto source_column = left + column;
    const auto source_row = top + row;
    const auto source = from.template vec<run>(source_row, source_column, detail::checked{}, where);
    const auto bytes = end.bytes_inside({source_row.operand}, {source_column.operand}, To::element_bytes);
    detail::copy_async(target, source, bytes.operand, where);
  };
  detail::share_copies<To, From>(block, copy, where);
}

/// As copy_tile, but row r of the tile is row `pick(r)` of the matrix, an unsigned, or zeros where that is not below `rows`.
/// Neighbouring rows may come from anywhere.
/// Errors: those of copy_tile but for the order of rows.
/// PTX: cp.async with the size of the source; sm_80.
template <class Block, class To, class From, class Pick, operand_like Left, operand_like Rows, operand_like Columns>
void copy_rows(const Block& block, const To& to, const From& from, const Pick& pick, const Left& left, const Rows& rows,
               const Columns& columns, source_location where = source_location::current()) {
  constexpr int run = detail::copied_run<To, From>;
  detail::tracer::current(where).at(where);
  const detail::end_of_copies end = detail::find_end<To, run>(left, rows, columns);
  const auto copy = [&](const auto& row, const auto& column) {
    const value<unsigned> picked{detail::to_value<unsigned>(pick(row)).operand};
    const auto target = to.template vec<run>(row, column, detail::checked{}, where);
    const auto source_column = left + column;
    const auto source = from.template vec<run>(tg::gather(picked), source_column, detail::checked{}, where);
    const auto bytes = end.bytes_inside(picked, {source_column.operand}, To::element_bytes);
    detail::copy_async(target, source, bytes.operand, where);
  };
  detail::share_copies<To, From>(block, copy, where);
}

}  // namespace tg
