// How bulk copies and reductions to global memory are recorded.
#pragma once

#include <tg/dsl/bulk/bulk_store.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/bulk/copy_instruction.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void emit_bulk_store(const ptx::operand& to, const ptx::operand& from, std::int64_t bytes, ptx::token how,
                                         ptx::token type, source_location where) {
  using ptx::token;
  const ptx::operand size = ptx::operand::integer(bytes);
  if (how == token::none)
    return record_copy({token::async, token::bulk, token::global, token::shared_cta, token::bulk_group}, {to, from, size},
                       where);
  const bool adds_halves = how == token::add && (type == token::f16 || type == token::bf16);
  record_copy({token::reduce, token::async, token::bulk, token::global, token::shared_cta, token::bulk_group, how,
               adds_halves ? token::noftz : token::none, type},
              {to, from, size}, where);
}

}  // namespace tg::detail
