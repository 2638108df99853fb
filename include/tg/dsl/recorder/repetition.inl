// Counts the loops around the statement that is recorded.
#pragma once

#include <tg/dsl/recorder/repetition.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION bool is_repeated() {
  int open = 0;
  for (const ptx::instruction& i : tracer::current().recorded().fn().body)
    open += (i.op == ptx::opcode::loop ? 1 : 0) - (i.op == ptx::opcode::endloop ? 1 : 0);
  return open > 0;
}

}  // namespace tg::detail
