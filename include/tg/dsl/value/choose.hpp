// One of two expressions, chosen while the kernel is compiled.
#pragma once

#include <tg/base/config.hpp>

namespace tg {

/// `a` where `First` holds, else `b`, whatever their types: `tg::choose<Causal>(query + 1_c, keys)`. Both are evaluated; what
/// the other one computed is dropped from the kernel when nothing else reads it.
template <bool First, class A, class B> TG_ALWAYS_INLINE constexpr auto choose(const A& a, const B& b) {
  if constexpr (First) return a;
  else return b;
}

}  // namespace tg
