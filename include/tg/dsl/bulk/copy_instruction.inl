// The one place that names the opcode of bulk copies.
#pragma once

#include <tg/dsl/bulk/copy_instruction.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void record_copy(tracer::tokens modifiers, tracer::operands operands, source_location where) {
  tracer::begin(where).emit(ptx::opcode::cp, modifiers, operands);
}

}  // namespace tg::detail
