// Instructions move to the front of a body; what they pass moves back, only as far as the next gap.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::ptx {

/// The instruction at `from` goes in front of the one at `to`.
struct upward_move {
  std::uint32_t to = 0;
  std::uint32_t from = 0;
};

/// Makes all `moves`, those with the same `to` in the order given. The body keeps its length: an emptied instruction, at
/// the latest the place that the moved one left, takes what has to make room.
/// Requires: `to` <= `from`, and `to` does not decrease from move to move.
inline void move_up(dynamic_array<instruction>& body, const dynamic_array<upward_move>& moves) {
  dynamic_array<instruction> waiting;  // from `next` on
  std::size_t next = 0;
  auto move = moves.begin();
  for (std::uint32_t n = move == moves.end() ? 0 : move->to; n < body.size(); ++n) {
    for (; move != moves.end() && move->to == n; ++move) {
      waiting.push_back(body[move->from]);
      body[move->from].clear();
    }
    if (next == waiting.size()) continue;
    if (body[n].op != opcode::none) waiting.push_back(body[n]);
    body[n] = waiting[next++];
    if (next < waiting.size()) continue;
    if (move == moves.end()) return;
    waiting.clear();
    next = 0;
  }
}

}  // namespace tg::ptx
