// What an instruction means to other threads: how strong its access is, what it orders, for whom.
// Source: PTX ISA 9.0, 8 (memory consistency model) and the .sem and .scope qualifiers of each instruction.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::emulator::check {

/// Who sees an operation in order: the threads of the block, or all.
enum class scope : std::uint8_t { block, all };

struct memory_order {
  bool is_strong = false;  // relaxed, volatile or atomic
  bool acquires = false;
  bool releases = false;
  bool joins_proxy_of_shared = false;  // fence.proxy.async, for shared memory
  bool joins_proxy_of_global = false;  // and for global memory
  check::scope scope = scope::all;

  bool joins_proxies() const { return joins_proxy_of_shared || joins_proxy_of_global; }
};

/// The memory order that a load, store, atomic or fence asks for.
inline memory_order order_of(const ptx::instruction& i) {
  using ptx::token;
  memory_order out;
  const bool is_fence = (i.op == ptx::opcode::fence && !i.has(token::proxy)) || i.op == ptx::opcode::membar;
  const bool is_atomic = ptx::row_of(i.op).does == ptx::effect::atomic;
  bool has_order = false;
  for (const token t : i.tokens()) switch (t) {
      case token::acquire: out.acquires = has_order = true; break;
      case token::release: out.releases = has_order = true; break;
      case token::acq_rel: out.acquires = out.releases = has_order = true; break;
      case token::relaxed:
      case token::volatile_:
      case token::mmio: has_order = true; break;
      case token::cta: out.scope = scope::block; break;
      default: break;
    }
  if (i.op == ptx::opcode::fence && i.has(token::proxy) && (i.has(token::async) || i.has(token::async_generic))) {
    out.joins_proxy_of_shared = !i.has(token::global);
    out.joins_proxy_of_global = !i.has(token::shared_cta) && !i.has(token::shared_cluster);
  }
  if (is_fence && !has_order) out.acquires = out.releases = true;
  out.is_strong = is_atomic || has_order;
  return out;
}

}  // namespace tg::emulator::check
