// Is a module one that ptxas and the emulator take? Run after the front end, after each pass in tests, after parsing.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/verify/verify_operand.hpp>
#include <tg/ptx/verify/verify_structure.hpp>

namespace tg::ptx {

namespace detail {

class verifier {
 public:
  verifier(const module& m, const function& f) : module_(m), function_(f) {}

  void operator()(unwritten_reads unwritten) {
    for (const operand& o : function_.elements) {
      const bool is_nested = o.is(operand_kind::vector) || o.is(operand_kind::pair);
      if (is_nested || !in_range(o)) fail(dangling_id, instruction{}, "an element is nested or names what is not there", false);
    }
    for (const instruction& i : function_.body) identifiers(i);
    for (const instruction& i : function_.body)
      if (!is_marker(i.op)) form_of(i);
    const auto report = [this](code number, const instruction& i, const std::string& what) { fail(number, i, what); };
    structure_check{function_, report}(unwritten);
  }

 private:
  bool in_range(const operand& o) const {
    const auto has = [&](operand_kind kind, std::uint32_t id) {
      switch (kind) {
        case operand_kind::reg: return id < function_.registers.size();
        case operand_kind::special: return id != 0 && id < std::size(special_names);
        case operand_kind::variable: return id < module_.variables.size();
        case operand_kind::local: return id < function_.locals.size();
        case operand_kind::param: return id < function_.params.size() + function_.results.size();
        case operand_kind::function: return id < module_.functions.size();
        case operand_kind::label: return id < function_.label_count;
        case operand_kind::prototype: return id < function_.prototypes.size();
        default: return true;
      }
    };
    const std::uint64_t end = std::uint64_t{o.id} + static_cast<std::uint64_t>(o.value);
    switch (o.kind) {
      case operand_kind::none: return false;
      case operand_kind::address:
        return (o.base == operand_kind::none || o.base == operand_kind::reg || o.base == operand_kind::variable ||
                o.base == operand_kind::local || o.base == operand_kind::param) &&
               has(o.base, o.id);
      case operand_kind::vector: return o.value >= 0 && end <= function_.elements.size();
      case operand_kind::pair: return o.value == 2 && end <= function_.elements.size();
      default: return has(o.kind, o.id);
    }
  }

  /// Everything an id points to exists; only then can the instruction be shown.
  void identifiers(const instruction& i) {
    bool good = i.op != opcode::none && static_cast<std::size_t>(i.op) < std::size(opcode_names) &&
                i.token_count <= instruction::max_tokens && i.operand_count <= instruction::max_operands &&
                i.where.file < module_.files.size() && (!i.is_guarded() || i.guard < function_.registers.size());
    if (good) {
      for (const operand& o : i.operands()) good = good && in_range(o);
      for (const token t : i.tokens()) good = good && static_cast<std::size_t>(t) < token_count && t != token::none;
    }
    if (!good) fail(dangling_id, i, "names a register, label, variable or file that is not there", false);
    if (i.is_guarded() && register_class(function_.registers[i.guard].type) != token::pred)
      fail(wrong_register, i, "the guard is no predicate");
  }

  void form_of(const instruction& i) const {
    if (has_trait(i.op, trait::texture)) fail(texture_refused, i, "textures and surfaces are not supported");
    const form* f = find_form(i);
    if (f == nullptr) fail(no_such_form, i, "PTX has no such form" + nearest(i));
    if (i.operand_count < f->required_count || i.operand_count > f->operand_count)
      fail(wrong_operand, i, std::to_string(i.operand_count) + " operands where '" + f->spelling() + "' is expected");
    for (std::size_t k = 0; k < i.operand_count; ++k) {
      const operand_fault fault = operand_check{module_, function_, i}(f->operands[k], i[k]);
      if (fault)
        fail(fault.number, i, "operand " + std::to_string(k + 1) + " should be " + fault.expected + " (" + f->spelling() + ")");
    }
    if (has_trait(i.op, trait::calls)) call(i);
    if (i.op == opcode::vmad) negations(i);
    if (has_trait(i.op, trait::copies) && i.has(token::global) && !i.has(token::bulk)) copy_size(i);
  }

  void call(const instruction& i) const {
    const dynamic_array<variable>*results = nullptr, *params = nullptr;
    if (i[1].is(operand_kind::function)) {
      const function& callee = module_.functions[i[1].id];
      if (callee.is_entry) fail(wrong_operand, i, "calls a kernel");
      results = &callee.results;
      params = &callee.params;
    } else if (i.operand_count == 4 && i[3].is(operand_kind::prototype)) {
      results = &function_.prototypes[i[3].id].results;
      params = &function_.prototypes[i[3].id].params;
    } else if (i.operand_count < 4) {
      fail(wrong_operand, i, "a call through a register needs a prototype");
    } else {
      return;
    }
    const auto differs = [](const operand& list, const dynamic_array<variable>& declared) {
      return static_cast<std::size_t>(list.value) != declared.size();
    };
    if (differs(i[0], *results) || differs(i[2], *params))
      fail(wrong_operand, i,
           "the callee has " + std::to_string(results->size()) + " results and " + std::to_string(params->size()) +
               " parameters");
  }

  /// Source: PTX ISA 9.0, 9.7.18.6 "vmad".
  void negations(const instruction& i) const {
    const bool product = i[1].negated != i[2].negated;
    if (product && i[3].negated) fail(wrong_operand, i, "the product and c cannot both be negated");
    if (i.has(token::po) && (i[1].negated || i[2].negated || i[3].negated))
      fail(wrong_operand, i, "with .po nothing is negated");
  }

  void copy_size(const instruction& i) const {
    const std::int64_t bytes = i[2].value;
    if (bytes != 16 && (i.has(token::cg) || (bytes != 4 && bytes != 8)))
      fail(wrong_operand, i, i.has(token::cg) ? "cp.async.cg copies 16 bytes" : "cp.async copies 4, 8 or 16 bytes");
  }

  /// Up to three forms with the type of `i`.
  static std::string nearest(const instruction& i) {
    std::string out;
    int count = 0;
    for (const form& f : form_table::get().of(i.op)) {
      if (count == 3 || !form_table::get().accepts_type(f, i.type())) continue;
      out.append(count++ == 0 ? "; there is " : ", ").append(f.spelling());
    }
    return out;
  }

  [[noreturn, gnu::cold]] void fail(code number, const instruction& i, const std::string& what, bool can_print = true) const {
    std::string shown = "?";
    if (can_print) shown = to_string(module_, function_, i);
    else if (static_cast<std::size_t>(i.op) < std::size(opcode_names)) shown = name(i.op);
    if (i.where.file != 0 && i.where.file < module_.files.size())
      throw error(number, "'" + shown + "' in " + function_.name + ": " + what, {}, module_.files[i.where.file],
                  static_cast<int>(i.where.line));
    throw error(number, "'" + shown + "' in " + function_.name + ": " + what);
  }

  const module& module_;
  const function& function_;
};

inline void verify_name(const std::string& name, std::unordered_set<std::string_view>& seen) {
  require_name(name);
  if (!seen.insert(name).second) throw error(redeclared_name, "'" + name + "' is declared twice");
}

/// `index`: which variable of the module; those behind it cannot stand in its initial value.
inline void verify_variable(const module& m, const variable& v, std::size_t index = 0) {
  const auto fail = [&](const char* what) { throw error(dangling_id, "variable '" + v.name + "': " + what); };
  if (width_bits(v.type) < 8) fail("its type is no type of a variable");
  if ((v.align & (v.align - 1)) != 0) fail("its alignment is no power of two");
  if (!v.initial.empty() && v.space != token::global && v.space != token::const_)
    fail("only .global and .const variables have initial values");
  if (!v.relocations.empty() && v.type != token::u64 && v.type != token::u8)
    fail("addresses stand in elements of .u64, or in .u8 byte by byte");
  for (const variable::relocation& r : v.relocations) {
    const bool known = (r.target.is(operand_kind::variable) && r.target.id < index) ||
                       (r.target.is(operand_kind::function) && r.target.id < m.functions.size());
    if (!known || r.offset < 0 || static_cast<std::size_t>(r.offset) + 8 > v.initial.size())
      fail("an address in its initial value is not there, or declared later");
  }
}

}  // namespace detail

/// Returns if `m` is well formed.
/// Errors: TG303 and TG319 names, TG310 no such form, TG311 operand, TG312 register type, TG313 label, TG314 markers,
/// TG315 register read before it is written (in functions without labels), TG316 textures, TG317 dangling id, TG318
/// address; with the instruction, its C++ line and what was expected.
inline void verify(const module& m, unwritten_reads unwritten = unwritten_reads::refused) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < m.variables.size(); ++i) {
    detail::verify_name(m.variables[i].name, seen);
    detail::verify_variable(m, m.variables[i], i);
  }
  for (const function& f : m.functions) detail::verify_name(f.name, seen);
  for (const function& f : m.functions)
    if (f.alias != no_index && (f.alias >= m.functions.size() || m.functions[f.alias].alias != no_index || !f.body.empty()))
      throw error(dangling_id, "'" + f.name + "' is an alias of no function, or has a body of its own");
  for (const function& f : m.functions) {
    std::unordered_set<std::string_view> own;
    for (const auto* list : {&f.params, &f.results, &f.locals})
      for (const variable& v : *list) {
        detail::verify_name(v.name, own);
        detail::verify_variable(m, v);
      }
    detail::verifier{m, f}(unwritten);
  }
}

}  // namespace tg::ptx
