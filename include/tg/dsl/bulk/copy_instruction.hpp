// Instructions of the family cp.async.bulk, as this folder records them.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// One of them: what stands behind `cp`, and its operands.
void record_copy(tracer::tokens modifiers, tracer::operands operands, source_location where);

/// `.1d` to `.5d`.
constexpr ptx::token dimensions_token(int rank) {
  constexpr ptx::token names[] = {ptx::token::_1d, ptx::token::_2d, ptx::token::_3d, ptx::token::_4d, ptx::token::_5d};
  return names[rank - 1];
}

}  // namespace tg::detail
