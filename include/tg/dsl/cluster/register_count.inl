// setmaxnreg, as it is recorded.
#pragma once

#include <tg/dsl/cluster/register_count.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void set_registers(ptx::token direction, int count, source_location where) {
  tracer::begin(where).emit(ptx::opcode::setmaxnreg, {direction, ptx::token::sync, ptx::token::aligned, ptx::token::u32},
                            {ptx::operand::integer(count)});
}

}  // namespace tg::detail
