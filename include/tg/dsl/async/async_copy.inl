// What is recorded of an asynchronous copy.
#pragma once

#include <tg/dsl/async/async_copy.hpp>

#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void copy_async(const place& to, const place& from, int bytes, const ptx::operand& read,
                                    source_location where) {
  auto& t = tracer::current(where);
  t.at(where);
  if (to.space != ptx::token::shared || from.space != ptx::token::global)
    refuse(code{142}, "an asynchronous copy that is not from global to shared memory",
           "copy to an element of a tile from an element of a view", where);
  // One instruction and one entry: what it costs in global memory, and in shared memory where it writes.
  access entry = from.entry;
  entry.shared = to.entry.shared;
  entry.shared_of_warp = to.entry.shared_of_warp;
  entry.open_write = to.entry.open;
  if (to.entry.verdict > entry.verdict) {
    entry.verdict = to.entry.verdict;
    entry.reason = to.entry.reason;
  }
  t.emit_access(ptx::opcode::cp,
                {ptx::token::async, bytes == 16 ? ptx::token::cg : ptx::token::ca, ptx::token::shared, ptx::token::global},
                {to.address, from.address, ptx::operand::integer(bytes)}, entry);
  if (!read.is(ptx::operand_kind::none)) t.append(read);
}

}  // namespace tg::detail
