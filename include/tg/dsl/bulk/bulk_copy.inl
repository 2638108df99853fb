// How bulk copies and tensor copies to shared memory are recorded.
#pragma once

#include <tg/dsl/bulk/bulk_copy.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/bulk/copy_instruction.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx::operand multicast_mask(const ptx::operand& mask, source_location where) {
  auto& t = tracer::begin(where);
  if (mask.is(ptx::operand_kind::integer)) return ptx::operand::integer(mask.value & 0xffff);
  return t.compute(ptx::token::b16, ptx::operation::convert(ptx::token::u16, ptx::token::u32), {mask});
}

TG_LIBRARY_FUNCTION void begin_bulk_load(const bulk_load_facts& copy, const ptx::operand& mbarrier, source_location where) {
  using ptx::token, ptx::operand, ptx::operand_kind;
  auto& t = tracer::begin(where);
  const token multicast = copy.mask.is(operand_kind::none) ? token::none : token::multicast_cluster;
  const bool is_tensor = !copy.map_coordinates.is(operand_kind::none);
  if (is_tensor) {
    const token how = copy.offsets.is(operand_kind::none) ? token::tile : token::im2col;
    record_copy({token::async, token::bulk, token::tensor, dimensions_token(copy.rank), token::shared_cluster, token::global,
                 how, token::mbarrier_complete_tx_bytes, multicast},
                {copy.to, copy.from, copy.map_coordinates, mbarrier}, where);
    if (!copy.offsets.is(operand_kind::none)) t.append(copy.offsets);
  } else {
    record_copy({token::async, token::bulk, token::shared_cluster, token::global, token::mbarrier_complete_tx_bytes, multicast},
                {copy.to, copy.from, operand::integer(copy.bytes), mbarrier}, where);
  }
  if (multicast != token::none) t.append(copy.mask);
}

TG_LIBRARY_FUNCTION void emit_bulk_send(const ptx::operand& to, const ptx::operand& from, std::int64_t bytes,
                                        const ptx::operand& mbarrier, source_location where) {
  using ptx::token;
  record_copy({token::async, token::bulk, token::shared_cluster, token::shared_cta, token::mbarrier_complete_tx_bytes},
              {to, from, ptx::operand::integer(bytes), mbarrier}, where);
}

TG_LIBRARY_FUNCTION void emit_bulk_prefetch(const ptx::operand& from, std::int64_t bytes, source_location where) {
  using ptx::token;
  record_copy({token::async, token::bulk, token::prefetch, token::L2, token::global}, {from, ptx::operand::integer(bytes)},
              where);
}

}  // namespace tg::detail
