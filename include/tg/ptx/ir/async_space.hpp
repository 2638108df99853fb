// Which state space each address of an asynchronous instruction is in; its modifiers name several.
#pragma once

#include <optional>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::ptx {

/// The space of the address that is operand `k` of an asynchronous copy, store or reduction: global, shared, or none for
/// a generic one. Returns: nothing for other instructions.
/// Source: PTX ISA 9.0, 9.7.9.25 to 9.7.9.28.
inline std::optional<token> async_space(const instruction& i, std::size_t k) {
  const bool is_copy = has_trait(i.op, trait::copies), is_map = i.op == opcode::tensormap && i.has(token::cp_fenceproxy);
  const bool is_write = (is_store(i.op) || i.op == opcode::red) && i.has(token::async);
  if (is_write) return i.has(token::shared_cluster) ? token::shared : token::none;
  if (is_map) return k == 0 ? token::global : token::shared;
  if (!is_copy || i.has(token::arrive)) return std::nullopt;
  if (i.has(token::tensor)) {
    const bool loads = i.has(token::mbarrier_complete_tx_bytes);
    return k == (loads ? 1u : 0u) ? token::none : token::shared;
  }
  if (i.has(token::prefetch)) return token::global;
  if (!i.has(token::bulk)) return k == 0 ? token::shared : token::global;
  if (k > 1) return token::shared;
  std::size_t named = 0;
  for (const token t : i.tokens()) {
    const bool is_shared = t == token::shared_cluster || t == token::shared_cta;
    if ((is_shared || t == token::global) && named++ == k) return is_shared ? token::shared : token::global;
  }
  return std::nullopt;
}

}  // namespace tg::ptx
