// How much of a copy lies inside of its matrix.
#pragma once

#include <tg/dsl/async/copy_tile.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void end_of_copies::look(const value<unsigned>& left, int width) {
  is_beside_tile_ = (left + static_cast<unsigned>(width)).operand == columns_;
  is_between_runs_ = multiple_in(tracer::current(), columns_) % run_ == 0;
}

TG_LIBRARY_FUNCTION value<unsigned> end_of_copies::bytes_inside(const value<unsigned>& row, const value<unsigned>& column,
                                                                int size) const {
  const value<unsigned> rows{rows_}, columns{columns_};
  const auto run = static_cast<unsigned>(run_), element = static_cast<unsigned>(size);
  const value<unsigned> bytes = [&]() -> value<unsigned> {
    if (is_beside_tile_) return {ptx::operand::integer(run * element)};
    if (is_between_runs_) return {tg::select(column < columns, run * element, 0u).operand};
    return {(tg::min(columns - tg::min(column, columns), run) * element).operand};
  }();
  return {tg::select(row < rows, bytes, 0u).operand};
}

}  // namespace tg::detail
