// How tensor copies to global memory and prefetches are recorded.
#pragma once

#include <tg/dsl/bulk/tensor_copy.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/bulk/copy_instruction.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void emit_tensor_store(const ptx::operand& map, const ptx::operand& coordinates, int rank, bool is_im2col,
                                           const ptx::operand& from, ptx::token how, source_location where) {
  using ptx::token;
  record_copy(
      {how == token::none ? token::none : token::reduce, token::async, token::bulk, token::tensor, dimensions_token(rank),
       token::global, token::shared_cta, how, is_im2col ? token::im2col_no_offs : token::tile, token::bulk_group},
      {ptx::operand::address(map), coordinates, from}, where);
}

TG_LIBRARY_FUNCTION void emit_tensor_prefetch(const ptx::operand& map, const ptx::operand& coordinates,
                                              const ptx::operand& offsets, int rank, source_location where) {
  using ptx::token;
  const bool is_im2col = !offsets.is(ptx::operand_kind::none);
  record_copy({token::async, token::bulk, token::prefetch, token::tensor, dimensions_token(rank), token::L2, token::global,
               is_im2col ? token::im2col : token::tile},
              {ptx::operand::address(map), coordinates}, where);
  if (is_im2col) tracer::current().append(offsets);
}

}  // namespace tg::detail
