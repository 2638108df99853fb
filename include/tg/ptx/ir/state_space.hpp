// Which state space an instruction's modifiers name.
#pragma once

#include <tg/ptx/ir/instruction.hpp>

namespace tg::ptx {

/// The first of `.global`, `.shared`, `.local`, `.const` and `.param` that `i` names, without what `::` adds; none
/// where its addresses are generic.
inline token named_space(const instruction& i) {
  for (const token t : i.tokens()) switch (t) {
      case token::shared_cta:
      case token::shared_cluster: return token::shared;
      case token::param_entry:
      case token::param_func: return token::param;
      case token::global:
      case token::shared:
      case token::local:
      case token::const_:
      case token::param: return t;
      default: break;
    }
  return token::none;
}

}  // namespace tg::ptx
