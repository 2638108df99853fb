// What is said when no lane of any block of a cluster can run.
#pragma once

#include <cstdint>
#include <cstdlib>

#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/block/waiting.hpp>
#include <tg/emulator/run/meet.hpp>

namespace tg::emulator::detail {

/// Errors: TG421, which names the lanes that wait, and for what.
[[noreturn]] inline void deadlock(const machine& m, const block_cluster& c, const block& b) {
  for (std::uint32_t w = 0; w < m.warps; ++w)
    for (const warp_part& p : b.warps[w].parts)
      if (m.image.code[p.pc].act == action::matrix && p.lanes != 0xffffffff)
        fail_part_of_warp(b, m.image.code[p.pc], w, p.lanes);
  const std::uint32_t w = first_living_warp(b);
  fail(m, 421, m.image.code[b.warps[w].parts[0].pc],
       "deadlock in block " + triple(b.at_of(w)) + " of kernel '" + m.name + "': no thread can run" +
           (c.blocks().size() == 1 ? waiting_lanes(b) : waiting_lanes(c)),
       "let all threads that a barrier or mask names reach it");
}

/// The first block of the cluster that has not ended is named.
[[noreturn]] inline void deadlock(const machine& m, const block_cluster& c) {
  for (const auto& b : c.blocks())
    if (!b->has_ended) deadlock(m, c, *b);
  std::abort();
}

}  // namespace tg::emulator::detail
