// The least PTX ISA version and target that a module needs, and who asked for them.
#pragma once

#include <algorithm>

#include <tg/base/fixed_array.hpp>
#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/head_table.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::ptx {

/// What an instruction needs.
struct requirement {
  int sm = 50;
  int isa = 60;  // ×10
  char target_suffix = '\0';
};

/// What a module needs; `function` and `instruction` name the first that needs so much, or are `no_index`.
struct requirements {
  struct demand {
    std::uint32_t function = no_index;
    std::uint32_t instruction = no_index;
    location where;
  };
  requirement least;
  demand sm_by;
  demand isa_by;
};

namespace detail {

struct token_requirement {
  token which;
  opcode op;  // none: with any opcode
  std::uint8_t sm;
  std::uint8_t isa;
};

/// Modifiers that ask for more than the row they stand in. Source: PTX ISA 9.0, "Target ISA Notes" of each instruction.
inline constexpr token_requirement token_requirements[] = {
    {token::L1_evict_normal, opcode::none, 70, 74},
    {token::L1_evict_unchanged, opcode::none, 70, 74},
    {token::L1_evict_first, opcode::none, 70, 74},
    {token::L1_evict_last, opcode::none, 70, 74},
    {token::L1_no_allocate, opcode::none, 70, 74},
    {token::L2_64B, opcode::none, 75, 74},
    {token::L2_128B, opcode::none, 75, 74},
    {token::L2_256B, opcode::none, 80, 74},
    {token::acq_rel, opcode::atom, 70, 60},
    {token::acquire, opcode::atom, 70, 60},
    {token::acquire, opcode::mbarrier, 90, 80},
    {token::and_, opcode::mma, 80, 71},
    {token::b128, opcode::none, 70, 84},
    {token::cluster, opcode::mbarrier, 90, 80},
    {token::cluster, opcode::none, 90, 78},
    {token::cta, opcode::atom, 60, 60},
    {token::cta, opcode::bar, 50, 78},
    {token::cta, opcode::barrier, 50, 78},
    {token::cta, opcode::mbarrier, 90, 80},
    {token::cta, opcode::red, 60, 60},
    {token::f16, opcode::set, 53, 60},
    {token::f64, opcode::atom, 60, 60},
    {token::f64, opcode::red, 60, 60},
    {token::gpu, opcode::atom, 60, 60},
    {token::gpu, opcode::red, 60, 60},
    {token::relaxed, opcode::atom, 70, 60},
    {token::relaxed, opcode::mbarrier, 90, 86},
    {token::relaxed, opcode::red, 70, 60},
    {token::release, opcode::atom, 70, 60},
    {token::release, opcode::red, 70, 60},
    {token::shared_cluster, opcode::none, 90, 78},
    {token::shared_cta, opcode::none, 50, 78},
    {token::sys, opcode::atom, 60, 60},
    {token::sys, opcode::red, 60, 60},
    {token::weak, opcode::none, 70, 60},
};

/// The tokens above as flags, so that most heads pay one look per token.
inline constexpr auto demanding_tokens = [] {
  fixed_array<bool, token_count> out{};
  for (const token_requirement& r : token_requirements) out[static_cast<std::size_t>(r.which)] = true;
  return out;
}();

/// The version and target that both need.
inline void raise(requirement& to, const requirement& own) {
  to.sm = std::max(to.sm, own.sm);
  to.isa = std::max(to.isa, own.isa);
  if (own.target_suffix != '\0') to.target_suffix = own.target_suffix;
}

/// Whether `own` is more than `least`.
inline bool exceeds(const requirement& own, const requirement& least) {
  return own.sm > least.sm || own.isa > least.isa || (own.target_suffix != '\0' && own.target_suffix != least.target_suffix);
}

/// What the form and the modifiers of `i` need.
inline requirement requirement_of_head(const instruction& i) {
  requirement out;
  if (const form* f = find_form(i); f != nullptr) raise(out, {f->row.sm, f->row.isa, f->row.target_suffix});
  for (const token t : i.tokens())
    if (demanding_tokens[static_cast<std::size_t>(t)])
      for (const token_requirement& r : token_requirements)
        if (r.which == t && (r.op == opcode::none || r.op == i.op)) raise(out, {r.sm, r.isa});
  return out;
}

struct requirements_of_heads { head_table<requirement> heads; };

inline requirement requirement_of_special(special s) {
  requirement out;
  if (s >= special::is_explicit_cluster && s <= special::cluster_nctarank) raise(out, {90, 78});
  if (s == special::aggr_smem_size) raise(out, {90, 81});
  if (s == special::current_graph_exec) raise(out, {50, 80});
  return out;
}

}  // namespace detail

/// What `i` needs by its form, modifiers and special registers; an unknown form needs nothing.
inline requirement requirement_of(const instruction& i) {
  requirement out = detail::requirement_of_head(i);
  for (const operand& o : i.operands())
    if (o.is(operand_kind::special)) detail::raise(out, detail::requirement_of_special(static_cast<special>(o.id)));
  return out;
}

/// What `m` needs, at least PTX 6.0 and sm_50.
inline requirements requirements_of(const module& m) {
  requirements out;
  const auto raise = [&](const requirement& own, const requirements::demand& by) {
    if (own.sm > out.least.sm) out.sm_by = by;
    if (own.isa > out.least.isa) out.isa_by = by;
    detail::raise(out.least, own);
  };
  detail::head_table<requirement>& heads = detail::kept_by_thread<detail::requirements_of_heads>().heads;
  for (std::uint32_t f = 0; f < m.functions.size(); ++f) {
    const function& fn = m.functions[f];
    if (fn.bounds.cluster[0] != 0 || fn.bounds.explicit_cluster || fn.bounds.max_cluster_rank != 0)
      raise({90, 78}, {f, no_index, {}});
    for (std::uint32_t i = 0; i < fn.body.size(); ++i) {
      const instruction& one = fn.body[i];
      const requirement& own = heads.of(one, detail::requirement_of_head);
      if (detail::exceeds(own, out.least)) raise(own, {f, i, one.where});
      for (const operand& o : one.operands())
        if (o.is(operand_kind::special)) raise(detail::requirement_of_special(static_cast<special>(o.id)), {f, i, one.where});
    }
  }
  return out;
}

/// Sets version and target of `m` to the least it needs; returns what asked for them.
inline requirements derive_requirements(module& m) {
  const requirements out = requirements_of(m);
  m.version = {out.least.isa / 10, out.least.isa % 10};
  m.sm = out.least.sm;
  m.target_suffix = out.least.target_suffix == '\0' ? std::string() : std::string(1, out.least.target_suffix);
  return out;
}

}  // namespace tg::ptx
