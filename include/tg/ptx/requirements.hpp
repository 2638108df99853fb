// The least PTX ISA version and target that a module needs, and who asked for them.
#pragma once

#include <algorithm>
#include <array>

#include <tg/ptx/forms.hpp>
#include <tg/ptx/module.hpp>

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
  std::uint8_t sm;
  std::uint8_t isa;
};

/// Modifiers that ask for more than the row they stand in. Source: PTX ISA 9.0, "Target ISA Notes" of each instruction.
inline constexpr std::array token_requirements = std::to_array<token_requirement>({
    {token::cluster, 90, 78},
    {token::shared_cta, 50, 78},
    {token::shared_cluster, 90, 78},
    {token::L1_evict_normal, 70, 74},
    {token::L1_evict_unchanged, 70, 74},
    {token::L1_evict_first, 70, 74},
    {token::L1_evict_last, 70, 74},
    {token::L1_no_allocate, 70, 74},
    {token::L2_evict_first, 80, 74},
    {token::L2_64B, 75, 74},
    {token::L2_128B, 75, 74},
    {token::L2_256B, 80, 74},
    {token::L2_cache_hint, 80, 74},
    {token::weak, 70, 60},
    {token::b128, 70, 83},
    {token::noinc, 80, 70},
});

constexpr bool has_token_requirement(token t) {
  for (const token_requirement& r : token_requirements)
    if (r.which == t) return true;
  return false;
}

/// The tokens above as flags, so that most instructions pay one look per token.
inline constexpr auto demanding_tokens = [] {
  std::array<bool, token_count> out{};
  for (const token_requirement& r : token_requirements) out[static_cast<std::size_t>(r.which)] = true;
  return out;
}();

inline void raise(requirement& to, int sm, int isa) {
  to.sm = std::max(to.sm, sm);
  to.isa = std::max(to.isa, isa);
}

inline void raise(requirement& to, special s) {
  if (s >= special::is_explicit_cluster && s <= special::cluster_nctarank) raise(to, 90, 78);
  if (s == special::aggr_smem_size) raise(to, 90, 81);
  if (s == special::current_graph_exec) raise(to, 50, 80);
}

}  // namespace detail

/// What `i` needs by its form, modifiers and special registers; an unknown form needs nothing.
inline requirement requirement_of(const instruction& i) {
  requirement out;
  if (const form* f = find_form(i); f != nullptr) {
    out = {std::max(out.sm, int{f->row.sm}), std::max(out.isa, int{f->row.isa}), f->row.target_suffix};
  }
  for (const token t : i.tokens())
    if (detail::demanding_tokens[static_cast<std::size_t>(t)])
      for (const detail::token_requirement& r : detail::token_requirements)
        if (r.which == t) detail::raise(out, r.sm, r.isa);
  for (const operand& o : i.operands())
    if (o.is(operand_kind::special)) detail::raise(out, static_cast<special>(o.id));
  const bool scoped = i.op == opcode::atom || i.op == opcode::red;
  if (scoped && (i.has(token::cta) || i.has(token::gpu) || i.has(token::sys) || i.type() == token::f64))
    detail::raise(out, 60, 60);
  if (scoped && (i.has(token::relaxed) || i.has(token::acquire) || i.has(token::release) || i.has(token::acq_rel)))
    detail::raise(out, 70, 60);
  return out;
}

/// What `m` needs, at least PTX 6.0 and sm_50.
inline requirements requirements_of(const module& m) {
  requirements out;
  for (std::uint32_t f = 0; f < m.functions.size(); ++f) {
    const function& fn = m.functions[f];
    if (fn.bounds.cluster[0] != 0 || fn.bounds.explicit_cluster || fn.bounds.max_cluster_rank != 0) {
      if (out.least.sm < 90) out.sm_by = {f, no_index, {}};
      if (out.least.isa < 78) out.isa_by = {f, no_index, {}};
      detail::raise(out.least, 90, 78);
    }
    for (std::uint32_t i = 0; i < fn.body.size(); ++i) {
      const requirement own = requirement_of(fn.body[i]);
      if (own.sm > out.least.sm) out.sm_by = {f, i, fn.body[i].where};
      if (own.isa > out.least.isa) out.isa_by = {f, i, fn.body[i].where};
      detail::raise(out.least, own.sm, own.isa);
      if (own.target_suffix != '\0') out.least.target_suffix = own.target_suffix;
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
