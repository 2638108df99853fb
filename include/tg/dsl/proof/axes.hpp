// The axes of the grid: along which of them the blocks of a kernel can differ.
#pragma once

#include <cstddef>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// Along which axes the kernel looks at the blocks of its grid.
inline fixed_array<bool, 3> axes_read(const ptx::function& f) {
  fixed_array<bool, 3> out{};
  dynamic_array<bool> is_used(f.registers.size());
  const auto use = [&](const ptx::operand& o) {
    if (o.uses_reg()) is_used[o.id] = true;
    if (o.kind == ptx::operand_kind::vector || o.kind == ptx::operand_kind::pair)
      for (const ptx::operand& part : f.parts(o))
        if (part.is_reg()) is_used[part.id] = true;
  };
  for (std::size_t n = f.body.size(); n-- > 0;) {
    const ptx::instruction& i = f.body[n];
    const std::size_t results = ptx::result_count(i) > 0 ? 1 : 0;
    for (std::size_t k = results; k < i.operand_count; ++k) use(i[k]);
    if (i.is_guarded()) is_used[i.guard] = true;
  }
  for (const ptx::instruction& i : f.body)
    for (std::size_t k = 1; k < i.operand_count; ++k) {
      if (i[k].kind != ptx::operand_kind::special || (i[0].is_reg() && !is_used[i[0].id])) continue;
      const auto s = static_cast<int>(i[k].id), first = static_cast<int>(ptx::special::ctaid_x);
      if (s >= first && s < first + 6) out[static_cast<std::size_t>((s - first) % 3)] = true;
    }
  return out;
}

}  // namespace tg::proof
