// Whether an operand is what its rule in the form table asks for.
#pragma once

#include <string>

#include <tg/ptx/codes.hpp>
#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/async_space.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/state_space.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::ptx::detail {

/// What is wrong with an operand, false where nothing is.
struct operand_fault {
  code number{};
  std::string expected;
  explicit operator bool() const { return !expected.empty(); }
};

class operand_check {
 public:
  operand_check(const module& m, const function& f, const instruction& i) : module_(m), function_(f), instruction_(i) {}

  operand_fault operator()(const operand_rule& rule, const operand& o) const {
    const token type = rule.type(instruction_.tokens());
    const int parts = part_count(rule, instruction_.tokens());
    const bool must_be_vector = parts > 1 || (rule.counted && instruction_.has(token::x1));
    if (must_be_vector || (parts == 1 && o.is(operand_kind::vector))) return vector(rule, o, type, parts);
    switch (rule.kind) {
      case operand_class::destination:
      case operand_class::predicate:
        if (o.is(operand_kind::pair)) return pair(rule, o, type);
        if (rule.must_pair) return kind("two results, d|p", token::none);
        if (o.is(operand_kind::sink) && (rule.may_sink || rule.may_pair)) return {};
        return o.is_reg() && !o.negated ? fits(o, type, rule.wider) : kind("a register", type);
      case operand_class::source: return value(o, type, rule.wider);
      case operand_class::predicate_source:
        if (o.is(operand_kind::integer)) return {};
        return o.is_reg() ? fits(o, type, false) : kind("a predicate", token::none);
      case operand_class::address: return address(o);
      case operand_class::coordinates:
        if (o.base != operand_kind::address) return kind("coordinates inside the brackets", token::none);
        return vector(rule, o, type, tensor_dimensions(instruction_.tokens()));
      case operand_class::im2col_offsets: return vector(rule, o, type, tensor_dimensions(instruction_.tokens()) - 2);
      case operand_class::size_or_predicate:
        if (o.is_reg() && register_class(function_.registers[o.id].type) == token::pred) return {};
        return value(o, token::u32, false);
      case operand_class::immediate: return o.is(operand_kind::integer) ? operand_fault{} : kind("a number", token::none);
      case operand_class::move_destination:
        if (o.is(operand_kind::vector)) return packed(o, type, true);
        return o.is_reg() && !o.negated ? fits(o, type, false) : kind("a register", type);
      case operand_class::move_source: return move_source(o, type);
      case operand_class::label: return o.is(operand_kind::label) ? operand_fault{} : kind("a label", token::none);
      case operand_class::label_list: return all(o, operand_kind::label, "a list of labels");
      case operand_class::callee:
        if (o.is(operand_kind::function)) return {};
        return o.is_reg() ? fits(o, token::b64, false) : kind("a function", token::none);
      case operand_class::list:
        return o.is(operand_kind::vector) ? operand_fault{} : kind("a list in parentheses", token::none);
      case operand_class::prototype:
        if (o.is(operand_kind::prototype) || o.is(operand_kind::variable)) return {};
        return all(o, operand_kind::function, "a prototype or a list of functions");
      case operand_class::none: break;
    }
    return {};
  }

  /// True where a register of class `own` can hold a `type`, or more where `wider` says so.
  static bool can_hold(token own, token type, bool wider) {
    const int have = width_bits(own), need = width_bits(type);
    if (own == token::pred || type == token::pred) return own == type;
    if (wider ? have < need : have != need) return false;
    return !is_float(own) || own == type || type == bits_type(need);
  }

 private:
  static operand_fault kind(std::string what, token type) {
    if (type != token::none) what.append(" of type .").append(name(type));
    return {wrong_operand, std::move(what)};
  }

  operand_fault fits(const operand& o, token type, bool wider) const {
    const token own = register_class(function_.registers[o.id].type);
    const bool is_video = has_trait(instruction_.op, trait::video);
    if (o.value != 0 && !is_video) return kind("a whole register", type);
    if (can_hold(own, type, wider)) return {};
    return {wrong_register, "a ." + std::string(name(register_class(type))) + " register, not ." + std::string(name(own))};
  }

  operand_fault value(const operand& o, token type, bool wider) const {
    if (o.negated && instruction_.op != opcode::vmad) return kind("a value", type);
    const bool is_half = type == token::f16 || type == token::bf16 || type == token::f16x2 || type == token::bf16x2;
    switch (o.kind) {
      case operand_kind::reg: return fits(o, type, wider);
      case operand_kind::integer: return is_float(type) || is_half ? kind("a value", type) : operand_fault{};
      case operand_kind::f32: return type == token::f32 || type == token::b32 ? operand_fault{} : kind("a value", type);
      case operand_kind::f64: return type == token::f64 || type == token::b64 ? operand_fault{} : kind("a value", type);
      default: return kind("a register or number", type);
    }
  }

  operand_fault pair(const operand_rule& rule, const operand& o, token type) const {
    if (!rule.may_pair) return kind("one register", type);
    const auto parts = function_.parts(o);
    for (const operand& part : parts)
      if ((!part.is_reg() && !part.is(operand_kind::sink)) || part.negated) return kind("registers", token::none);
    if (parts[0].is_reg())
      if (operand_fault fault = fits(parts[0], type, rule.wider)) return fault;
    return parts[1].is_reg() ? fits(parts[1], token::pred, false) : operand_fault{};
  }

  operand_fault vector(const operand_rule& rule, const operand& o, token type, int count) const {
    if (!o.is(operand_kind::vector) || o.value != count) return kind("a vector of " + std::to_string(count), type);
    const bool is_written = rule.kind == operand_class::destination;
    for (const operand& part : function_.parts(o)) {
      if (is_written && part.is(operand_kind::sink)) continue;
      if (is_written && !part.is_reg()) return kind("registers", type);
      if (operand_fault fault = value(part, type, rule.wider)) return fault;
    }
    return {};
  }

  /// `mov.b64 {a, b}, c` and its inverse.
  operand_fault packed(const operand& o, token type, bool is_written) const {
    const int bits = o.value == 0 ? 0 : width_bits(type) / static_cast<int>(o.value);
    if ((o.value != 2 && o.value != 4) || bits < 8 || type != bits_type(width_bits(type)))
      return kind("2 or 4 parts of a .b type", token::none);
    for (const operand& part : function_.parts(o)) {
      if (is_written && part.is(operand_kind::sink)) continue;
      if (is_written && !part.is_reg()) return kind("registers", bits_type(bits));
      if (operand_fault fault = value(part, bits_type(bits), false)) return fault;
    }
    return {};
  }

  operand_fault move_source(const operand& o, token type) const {
    switch (o.kind) {
      case operand_kind::vector: return packed(o, type, false);
      case operand_kind::variable:
        if (width_bits(type) == 32 && module_.variables[o.id].space == token::global)
          return kind("a type of 64 bits, for an address in .global", token::none);
        [[fallthrough]];
      case operand_kind::local:
      case operand_kind::param:
      case operand_kind::function:
        return width_bits(type) >= 32 && !is_float(type) ? operand_fault{} : kind("a type of 32 or 64 bits", token::none);
      case operand_kind::special: {
        if (computes(instruction_.op, calculation::convert_address)) return kind("a register or name", type);
        const auto s = static_cast<special>(o.id);
        const bool is_long = is_wide(s);
        const bool is_predicate = s == special::is_explicit_cluster;
        if (is_float(type) || is_predicate != (type == token::pred) || (is_long && width_bits(type) != 64))
          return {wrong_register, is_predicate ? ".pred" : is_long ? "a type of 64 bits" : "an integer type"};
        return {};
      }
      default: return value(o, type, false);
    }
  }

  operand_fault all(const operand& o, operand_kind wanted, const char* what) const {
    if (!o.is(operand_kind::vector) || o.value == 0) return kind(what, token::none);
    for (const operand& part : function_.parts(o))
      if (!part.is(wanted)) return kind(what, token::none);
    return {};
  }

  /// The state space the instruction names, `none` for generic addresses.
  token space(const operand& o) const {
    if (const auto named = async_space(instruction_, static_cast<std::size_t>(&o - &instruction_[0]))) return *named;
    return named_space(instruction_);
  }

  operand_fault address(const operand& o) const {
    if (!o.is(operand_kind::address)) return kind("an address in brackets", token::none);
    const token named = space(o);
    if (o.base == operand_kind::reg) {
      const token own = register_class(function_.registers[o.id].type);
      const bool may_be_short = named != token::none && named != token::global;
      if (own != token::b64 && !(own == token::b32 && may_be_short))
        return {wrong_register, may_be_short ? "an address in a .b32 or .b64 register" : "an address in a .b64 register"};
    }
    token own = token::none;
    if (o.base == operand_kind::variable) own = module_.variables[o.id].space;
    if (o.base == operand_kind::local) own = function_.locals[o.id].space;
    if (o.base == operand_kind::param) own = token::param;
    if (own == token::param && o.base == operand_kind::param && is_store(instruction_.op) && o.id < function_.params.size())
      return {wrong_address, "the address of something that may be written, not of a parameter of the function"};
    if (own != token::none && own != named && (named != token::none || own == token::param))
      return {wrong_address, "an address in ." + std::string(name(own == token::param ? token::param : named)) +
                                 " space; this one is in ." + std::string(name(own))};
    if (o.base == operand_kind::none && named != token::local)
      return {wrong_address, "an address in a register or of a variable; a number is one in .local space only"};
    if (o.value != static_cast<std::int32_t>(o.value)) return {wrong_address, "an offset of 32 bits"};
    if (o.value != 0 && instruction_.has(token::tensor) && named == token::none)
      return {wrong_address, "the address of a tensor map, without an offset"};
    return {};
  }

  const module& module_;
  const function& function_;
  const instruction& instruction_;
};

}  // namespace tg::ptx::detail
