// What some warps of a block must not record.
#pragma once

#include <tg/dsl/recorder/block_barriers.hpp>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::size_t count_recorded() { return tracer::current().recorded().fn().body.size(); }

TG_LIBRARY_FUNCTION void refuse_block_barriers(std::size_t begin) {
  tape& recorded = tracer::current().recorded();
  const auto& body = recorded.fn().body;
  for (std::size_t n = begin; n < body.size(); ++n) {
    const ptx::instruction& i = body[n];
    if (!ptx::has_trait(i.op, ptx::trait::meets_block) || i.has(ptx::token::warp) || i.has(ptx::token::cluster)) continue;
    const ptx::operand& barrier = i[static_cast<std::size_t>(ptx::result_count(i))];  // a vote has a result in front of it
    if (!barrier.is(ptx::operand_kind::integer) || barrier.value != 0) continue;
    throw error(code{199},
                "block.sync(), or a vote of the block, in a role of some warps: it waits for the others, which do not come",
                "write role.sync(), or tg::barrier<Id>(block, threads) for those that come", recorded.mod().files[i.where.file],
                static_cast<int>(i.where.line));
  }
}

}  // namespace tg::detail
