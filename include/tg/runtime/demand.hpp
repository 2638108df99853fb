// Which instruction of a kernel asks for more than driver or device have.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/ir/gpu_target.hpp>
#include <tg/ptx/ir/opcode.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/runtime/compatibility.hpp>

namespace tg::runtime {

/// What a kernel may ask for.
struct supply {
  ptx::isa_version newest;
  int compute_capability;

  bool covers(ptx::isa_version version) const { return version <= newest; }
  bool covers(const ptx::requirement& r) const {
    return covers(ptx::isa_version{r.isa / 10, r.isa % 10}) && is_ptx_for(r.sm, r.target_suffix, compute_capability);
  }
};

/// An instruction that needs what is not there, or what a whole kernel's directives need.
struct demand {
  ptx::requirement need;
  std::string what;  // as PTX has it
  std::string file;
  int line = 0;
  std::uint32_t ptx_line = 0;
};

inline std::string text_of(ptx::isa_version v) { return std::to_string(v.major) + "." + std::to_string(v.minor); }

/// The first demand in a PTX text that is not covered; none when all are.
inline std::optional<demand> first_demand(const ptx::module& m, const ptx::line_map& lines, const supply& has) {
  for (std::size_t f = 0; f < m.functions.size(); ++f)
    for (std::size_t i = 0; i < m.functions[f].body.size(); ++i) {
      const ptx::instruction& at = m.functions[f].body[i];
      const ptx::requirement need = ptx::requirement_of(at);
      if (has.covers(need)) continue;
      std::string what(ptx::name(at.op));
      for (const ptx::token t : at.tokens()) what.append(1, '.').append(ptx::name(t));
      return demand{need, std::move(what), m.files[at.where.file], static_cast<int>(at.where.line), lines[f][i]};
    }
  if (const ptx::requirement all = ptx::requirements_of(m).least; !has.covers(all))
    return demand{all, "its cluster directives", "", 0, 0};
  return std::nullopt;
}

}  // namespace tg::runtime
