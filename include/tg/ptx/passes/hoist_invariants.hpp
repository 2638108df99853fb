// Loop-invariant code: what gives the same value in every iteration is computed once, before the loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/move_up.hpp>

namespace tg::ptx {

/// Moves pure instructions and loads of parameters in front of the outermost loop in which their sources do not change.
/// Nothing that could fault or that other lanes can see is moved.
void hoist_invariants(function& f);

namespace detail {

inline bool is_hoistable(const instruction& i, const dynamic_array<register_use>& uses) {
  if (i.is_guarded() || i.operand_count < 2 || !i[0].is_reg() || !uses[i[0].id].is_value()) return false;
  const effect e = effect_of(i);
  return e == effect::pure ||
         (e == effect::reads_constant && i[1].is(operand_kind::address) && i[1].base == operand_kind::param);
}

}  // namespace detail

inline void hoist_invariants(function& f) {
  const bool has_loop = std::any_of(f.body.begin(), f.body.end(), [](const instruction& i) { return i.op == opcode::loop; });
  if (!has_loop) return;
  const dynamic_array<register_use> uses = count_definitions(f);
  dynamic_array<std::uint32_t> last_write(uses.size());
  for (std::size_t r = 0; r < uses.size(); ++r) last_write[r] = uses[r].definition == no_index ? 0 : uses[r].definition;
  dynamic_array<std::uint32_t> loops;  // open ones, outermost first
  dynamic_array<upward_move> moves;
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    const instruction& i = f.body[n];
    if (i.op == opcode::loop) loops.push_back(n);
    if (i.op == opcode::endloop) loops.pop_back();
    if (loops.empty() || !detail::is_hoistable(i, uses)) continue;
    std::uint32_t latest = 0;
    for_each_read(f, i, [&](std::uint32_t r) { latest = std::max(latest, last_write[r]); });
    const auto outermost = std::upper_bound(loops.begin(), loops.end(), latest);
    const auto target = outermost != loops.begin() && *(outermost - 1) == latest ? outermost - 1 : outermost;
    if (target == loops.end()) continue;
    last_write[i[0].id] = *target;
    moves.push_back({*target, n});
  }
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
  move_up(f.body, moves);
}

}  // namespace tg::ptx
