// Which accesses to a rectangle lie inside of its matrix.
#pragma once

#include <tg/tile/rectangle_edge.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION bool rectangle_edge::keeps_vectors(int width) {
  if (width == 1 || (is_cut_ && multiple_in(tracer::current(), columns_) % width != 0)) return false;
  last_ = static_cast<unsigned>(width - 1);
  return true;
}

// Whether a number is an argument of the kernel. The proof of races takes it that so many columns lie in the rows of a view; of
// others it needs the condition on each column, which bits do not show.
inline bool is_argument(const ptx::operand& o) {
  const ptx::instruction* const from = o.is_reg() ? tracer::current().recorded().definition_of(o.id) : nullptr;
  return from != nullptr && ptx::is_load(from->op) && from->has(ptx::token::param);
}

TG_LIBRARY_FUNCTION void rectangle_edge::take_apart(const distribution& spread, const ptx::operand& first) {
  const distribution own = spread.slice(false);
  const bool has_many = own.run() >= 4 && own.registers() <= 32 && spread.registers() >= 4 * own.registers();
  has_bits_ = what_ == of::matrix && is_cut_ && has_many && is_argument(columns_);
  if (!has_bits_) return;
  const value<unsigned> columns{columns_}, at{first}, left{(columns - tg::min(at, columns)).operand};
  bits_ = ptx::operand::integer(0);
  for (int r = 0; r < own.registers(); r += own.run()) {
    const auto before = static_cast<unsigned>(own.at(r).column), run = static_cast<unsigned>(own.run());
    const value<unsigned> count{tg::min(left - tg::min(left, before), run).operand};
    bits_ = (value<unsigned>{bits_} | (((1u << count) - 1u) << static_cast<unsigned>(r))).operand;
  }
}

inline value<bool> rectangle_edge::holds(const value<unsigned>& row, const value<unsigned>& column, int number) const {
  const value<unsigned> rows{rows_}, columns{columns_};
  if (what_ == of::column) return {(row < columns).operand};
  if (what_ == of::row) return {(column + last_ < columns).operand};
  if (!is_cut_) return {(row < rows).operand};
  if (!has_bits_) return {(row < rows && column + last_ < columns).operand};
  return {((tg::select(row < rows, value<unsigned>{bits_}, 0u) & (1u << number)) != 0u).operand};
}

TG_LIBRARY_FUNCTION void rectangle_edge::enter(const ptx::operand& row, const ptx::operand& column, int number) const {
  if (what_ == of::nothing) return;
  auto& t = tracer::current();
  t.begin_branch(holds({row}, {column}, number).operand);
  t.open_body(false);
}

TG_LIBRARY_FUNCTION void rectangle_edge::leave() const {
  if (what_ == of::nothing) return;
  auto& t = tracer::current();
  t.close_body();
  t.end_branch(false);
}

}  // namespace tg::detail
