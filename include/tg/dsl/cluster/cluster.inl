// Barriers of clusters and the addresses of their tiles, as they are recorded.
#pragma once

#include <tg/dsl/cluster/cluster.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx::operand read_of_cluster(ptx::special s) {
  return tracer::current().copy(ptx::token::b32, ptx::token::u32, ptx::operand::special(s));
}

TG_LIBRARY_FUNCTION ptx::operand block_of_cluster(const ptx::operand& rank, int blocks, source_location where) {
  if (rank.is(ptx::operand_kind::integer) && (rank.value < 0 || rank.value >= blocks))
    throw error(code{154}, "block " + std::to_string(rank.value) + " of a cluster of " + std::to_string(blocks) + " blocks",
                "take a number below the blocks of the cluster: cluster.rank ^ 1u is the neighbour", where);
  return rank;
}

TG_LIBRARY_FUNCTION void meet_cluster(ptx::token half, ptx::token order, source_location where) {
  tracer::begin(where).emit(ptx::opcode::barrier, {ptx::token::cluster, half, order, ptx::token::aligned}, {});
}

}  // namespace tg::detail
