// Which kernels may run neighbouring blocks as one, so that an operation is dispatched once for all of them.
//
// Blocks may when they cannot tell: they meet in no atomic operation outside shared memory, no access that orders or
// must be seen at once, no clock, and nothing that a block keeps for itself, such as calls and asynchronous copies.
#pragma once

#include <algorithm>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/image.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::emulator::detail {

/// Whether an operation does the same when other blocks run beside its own.
inline bool is_apart(const ptx::module& module, const image& of, const operation& o) {
  switch (o.act) {
    case action::lanes:
    case action::nothing:
    case action::branch:
    case action::exit:
    case action::trap:
    case action::fence:
    case action::barrier:
    case action::sync_warp:
    case action::shuffle:
    case action::vote:
    case action::match:
    case action::reduce_warp:
    case action::active_mask:
    case action::elect: return true;
    case action::load:
    case action::store:
    case action::atomic: {
      const memory_access& a = of.accesses[o.detail];
      if (a.is_cluster) return false;
      if (a.space == ptx::token::shared) return true;
      const instruction_info& from = of.instructions[o.instruction];
      const auto& body = module.functions[from.function].body;
      using ptx::token;
      constexpr token orders[] = {token::volatile_, token::relaxed, token::acquire, token::release, token::mmio};
      return !a.is_atomic && from.index < body.size() &&
             std::ranges::none_of(orders, [&](token t) { return body[from.index].has(t); });
    }
    default: return false;
  }
}

/// Marks the kernels of which every operation that can be reached is so.
inline void mark_abreast(const ptx::module& module, image& to) {
  for (function_image& f : to.functions) {
    if (!f.is_kernel) continue;
    dynamic_array<bool> seen(to.code.size(), false);
    dynamic_array<std::uint32_t> open{f.entry};
    f.may_run_abreast = !to.uses_heap;
    while (!open.empty() && f.may_run_abreast) {
      const std::uint32_t pc = open.back();
      open.pop_back();
      if (pc >= to.code.size() || seen[pc]) continue;
      seen[pc] = true;
      const operation& o = to.code[pc];
      f.may_run_abreast = is_apart(module, to, o);
      if (o.act == action::branch) open.push_back(o.target);
      if (o.guard != no_slot || (o.act != action::branch && o.act != action::exit)) open.push_back(pc + 1);
    }
  }
}

}  // namespace tg::emulator::detail
