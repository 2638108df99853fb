// Makes instructions of every form of the table, with operands of the right kinds.
#pragma once

#include <algorithm>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/async_space.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::ptx::test {

/// A function with something of each kind to point at, and instructions made from rows of the table.
class sampler {
 public:
  sampler() {
    module_.functions.resize(2);
    module_.functions[0].name = "callee";
    module_.functions[0].is_entry = false;
    module_.functions[0].is_visible = false;
    module_.functions[0].body.emplace_back(opcode::ret, std::initializer_list<token>{}, std::initializer_list<operand>{});
    fn().name = "all";
    fn().params.push_back({.name = "parameter"});
    fn().params.back().type = token::b64;
    fn().label_count = 1;
    add_variable(token::shared, "in_shared");
    add_variable(token::global, "in_global");
    add_variable(token::const_, "in_const");
    variable depot;
    depot.space = token::local;
    depot.type = token::b8;
    depot.align = 16;
    depot.count = 64;
    depot.name = "in_local";
    fn().locals.push_back(depot);
    depot.space = token::param;
    depot.name = "argument";
    fn().locals.push_back(depot);
    fn().body.emplace_back(opcode::label, std::initializer_list<token>{},
                           std::initializer_list<operand>{operand::named(operand_kind::label, 0)});
  }

  module& mod() { return module_; }
  function& fn() { return module_.functions[1]; }

  /// Appends instructions that between them use every token of `f` and every optional part; returns how many.
  int add(const form& f) {
    const form_table& table = form_table::get();
    std::size_t most = 1;
    for (std::size_t s = 0; s < f.slot_count; ++s) most = std::max(most, table.choices(f.slots[s]).size());
    int count = 0;
    for (const bool with_optional : {false, true})
      for (std::size_t n = 0; n < most; ++n) {
        tg::dynamic_array<token> tokens;
        for (std::size_t s = 0; s < f.slot_count; ++s) {
          const auto choices = table.choices(f.slots[s]);
          if (!f.slots[s].optional || with_optional) tokens.push_back(choices[n % choices.size()]);
        }
        if (!table.matches(f, tokens)) continue;
        add(f, tokens, with_optional);
        ++count;
      }
    return count;
  }

  void add(const form& f, const tg::dynamic_array<token>& tokens, bool with_optional) {
    instruction i;
    i.op = f.op();
    for (const token t : tokens) i.add(t);
    for (std::size_t k = 0; k < f.operand_count; ++k) {
      const operand_rule& rule = f.operands[k];
      if (rule.optional && !with_optional) continue;
      if (rule.kind == operand_class::prototype) continue;
      i.add(make(rule, i, k, with_optional));
    }
    fn().body.push_back(i);
  }

 private:
  void add_variable(token space, const char* name) {
    variable v;
    v.space = space;
    v.type = token::b8;
    v.align = 16;
    v.count = 64;
    v.name = name;
    module_.variables.push_back(v);
  }

  operand value(token type) {
    const auto own = register_class(type);
    for (std::uint32_t r = 0; r < fn().registers.size(); ++r)
      if (fn().registers[r].type == own) return operand::reg(r);
    return operand::reg(fn().new_register(own));
  }

  operand many(token type, int count) {
    return fn().new_vector(tg::dynamic_array<operand>(static_cast<std::size_t>(count), value(type)));
  }

  operand place(const instruction& i, std::size_t k) {
    token space = token::none;
    for (const token t : i.tokens())
      if (t == token::shared || t == token::shared_cta || t == token::shared_cluster || t == token::global ||
          t == token::const_ || t == token::local || t == token::param || t == token::param_entry || t == token::param_func) {
        space = t;
        break;
      }
    if (const auto named = async_space(i, k)) space = *named;
    switch (space) {
      case token::shared:
      case token::shared_cta:
      case token::shared_cluster: return operand::address(operand::named(operand_kind::variable, 0), 16);
      case token::const_: return operand::address(operand::named(operand_kind::variable, 2), 16);
      case token::local: return operand::address(operand::named(operand_kind::local, 0), 16);
      case token::param:
      case token::param_func:
        if (i.op == opcode::st) return operand::address(operand::named(operand_kind::local, 1), 16);
        return operand::address(operand::named(operand_kind::param, 0), 0);
      case token::param_entry: return operand::address(operand::named(operand_kind::param, 0), 0);
      default: return operand::address(value(token::b64), i.has(token::tensor) ? 0 : 16);
    }
  }

  operand make(const operand_rule& rule, const instruction& i, std::size_t k, bool with_optional) {
    const token type = rule.type(i.tokens());
    const int length = part_count(rule, i.tokens());
    if (length > 1 || rule.vector == 1 || (length == 1 && i.has(token::x1))) return many(type, length);
    switch (rule.kind) {
      case operand_class::destination:
      case operand_class::predicate:
        if (rule.must_pair || (rule.may_pair && with_optional)) return fn().new_pair(value(type), value(token::pred));
        if (rule.may_sink && i.has(token::shared_cluster) && i.op == opcode::mbarrier) return {.kind = operand_kind::sink};
        return value(type);
      case operand_class::predicate_source: return with_optional ? !value(type) : value(type);
      case operand_class::address: return place(i, k);
      case operand_class::coordinates: {
        operand made = many(type, tensor_dimensions(i.tokens()));
        made.base = operand_kind::address;
        return made;
      }
      case operand_class::im2col_offsets: return many(type, tensor_dimensions(i.tokens()) - 2);
      case operand_class::size_or_predicate: return value(token::u32);
      case operand_class::immediate:
        switch (i.op) {
          case opcode::tensormap: return operand::integer(i.has(token::cp_fenceproxy) ? 128 : 1);
          case opcode::setmaxnreg: return operand::integer(64);
          case opcode::mma: return operand::integer(0);
          case opcode::wgmma: return operand::integer(1);
          case opcode::discard:
          case opcode::applypriority:
          case opcode::fence: return operand::integer(128);
          case opcode::pmevent: return operand::integer(3);
          default: return operand::integer(16);
        }
      case operand_class::label: return operand::named(operand_kind::label, i.op == opcode::label ? fn().label_count++ : 0);
      case operand_class::label_list:
        return fn().new_vector(tg::dynamic_array<operand>{operand::named(operand_kind::label, 0)});
      case operand_class::callee: return operand::named(operand_kind::function, 0);
      case operand_class::list: return fn().new_vector({});
      default:
        if (i.op == opcode::bar || i.op == opcode::barrier)
          return operand::integer(k == 0 || i.has(token::red) ? 32 * (k > 1) : 64);
        return value(type);
    }
  }

  module module_;
};

}  // namespace tg::ptx::test
