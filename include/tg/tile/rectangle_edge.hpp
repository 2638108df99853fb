// Where a matrix ends inside a rectangle: which of the accesses to it lie inside.
#pragma once

#include <tg/dsl/value/value.hpp>
#include <tg/tile/distribution.hpp>

namespace tg::detail {

/// The rows and columns that a matrix has, for accesses to a rectangle that are recorded one by one. Without any, all are
/// inside.
class rectangle_edge {
 public:
  /// What a rectangle is of: a matrix, or a vector along its columns or down its rows.
  enum class of { nothing, matrix, row, column };

  rectangle_edge() = default;
  /// `end`: the column behind the rectangle.
  rectangle_edge(of what, const value<unsigned>& rows, const value<unsigned>& columns, const ptx::operand& end)
      : what_(what), is_cut_(what != of::matrix || !(end == columns.operand)), rows_(rows.operand), columns_(columns.operand) {}

  /// Whether vectors of `width` elements of a row lie as a whole inside or outside, as far as the recorder knows. Where they
  /// do, accesses are to such vectors, and their last elements are looked at, as a proof wants it.
  bool keeps_vectors(int width);
  /// Accesses to single elements, spread as `spread` says, the first of a thread in column `first`. Where a thread has many in
  /// each of many rows, of a matrix whose columns are an argument of the kernel, which columns are inside is found once, as
  /// bits: ptxas makes predicates of seven bits at a time.
  void take_apart(const distribution& spread, const ptx::operand& first);

  /// What is recorded up to `leave` is done where the access to (row, column) lies inside; `number`: its register among those
  /// of one row.
  void enter(const ptx::operand& row, const ptx::operand& column, int number) const;
  void leave() const;

 private:
  value<bool> holds(const value<unsigned>& row, const value<unsigned>& column, int number) const;

  of what_ = of::nothing;
  bool is_cut_ = true;  // columns can lie outside
  bool has_bits_ = false;
  unsigned last_ = 0;  // of an access: how many columns its last element is behind its first
  ptx::operand rows_, columns_, bits_;
};

}  // namespace tg::detail
