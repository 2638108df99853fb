// Instructions of the family cp.async.bulk, as this folder records them.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// One of them: what stands behind `cp`, and its operands.
void record_copy(tracer::tokens modifiers, tracer::operands operands, source_location where);

}  // namespace tg::detail

#ifndef TG_COMPILED
#include <tg/dsl/bulk/copy_instruction.inl>
#endif
