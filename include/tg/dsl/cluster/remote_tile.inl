// Addresses in the shared memory of other blocks of a cluster.
#pragma once

#include <tg/dsl/cluster/remote_tile.hpp>

#include <tg/base/config.hpp>
#include <tg/dsl/memory/found_place.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx::operand map_tile(const tile_registers& own, const ptx::operand& rank, source_location where) {
  return tracer::begin(where).compute(ptx::token::b32, ptx::opcode::mapa, {ptx::token::shared_cluster, ptx::token::u32},
                                      {own.base, rank});
}

TG_LIBRARY_FUNCTION ptx::operand remote_address(const ptx::operand& base, int element_bytes, const ptx::operand& index) {
  if (index.is(ptx::operand_kind::integer)) return ptx::operand::address(base, index.value * element_bytes);
  return address_from(base, element_bytes, index);
}

}  // namespace tg::detail
