// One instruction as text.
//
// Operands of a call: result list, callee, argument list (vectors, maybe empty), then for a call through a register its
// prototype or the vector of functions it may reach. Operand 1 of brx is the vector of its labels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tg/ptx/module.hpp>
#include <tg/ptx/print_text.hpp>
#include <tg/ptx/register_part.hpp>
#include <tg/ptx/type.hpp>

namespace tg::ptx::detail {

constexpr std::string_view register_prefix(token type) {
  switch (register_class(type)) {
    case token::pred:
      return "%p";
    case token::b8:
      return "%rc";
    case token::b16:
      return "%rs";
    case token::b64:
      return "%rd";
    case token::b128:
      return "%rq";
    case token::f32:
      return "%f";
    case token::f64:
      return "%fd";
    default:
      return "%r";
  }
}

/// The classes in the order their registers are declared.
inline constexpr std::array register_classes = {token::pred, token::b8,   token::b16, token::b32,
                                                token::b64,  token::b128, token::f32, token::f64};

class instruction_printer {
 public:
  instruction_printer(const module& m, text_out& out) : module_(m), out_(out) {}

  using class_counts = std::array<std::uint32_t, register_classes.size()>;

  /// Registers are numbered in their class; returns how many each class has.
  class_counts enter(const function& f) {
    function_ = &f;
    table_count_ = 0;
    class_counts counts{};
    numbers_.resize(f.registers.size());
    for (std::size_t r = 0; r < f.registers.size(); ++r) {
      const token own = register_class(f.registers[r].type);
      for (std::size_t c = 0; c < counts.size(); ++c)
        if (register_classes[c] == own) numbers_[r] = {register_prefix(own), counts[c]++};
    }
    return counts;
  }

  /// The list of labels or functions that an indirect branch or call names.
  void put_targets(const instruction& i) {
    const bool is_branch = i.op == opcode::brx;
    const operand& list = i[is_branch ? 1 : 3];
    if ((!is_branch && i.op != opcode::call) || !list.is(operand_kind::vector)) return;
    out_.put("$T");
    out_.put_number(table_count_++);
    out_.put(is_branch ? ": .branchtargets " : ": .calltargets ");
    comma_separated(list);
    out_.put_line(';');
  }

  void put_instruction(const instruction& i) {
    if (i.op == opcode::label) {
      put_operand(i[0]);
      out_.put(':');
      return;
    }
    if (i.op == opcode::none || is_marker(i.op))
      throw error(not_flat, "'" + std::string(name(i.op)) + "' cannot be printed", "flatten the function first");
    out_.put('\t');
    if (i.op == opcode::assume) out_.put(aside);
    if (i.is_guarded()) put_guard(i);
    out_.put(name(i.op));
    for (const token t : i.tokens()) {
      out_.put('.');
      out_.put(name(t));
    }
    if (i.op == opcode::call) {
      call_operands(i);
    } else {
      for (std::size_t k = 0; k < i.operand_count; ++k) {
        out_.put(k == 0 ? " " : ", ");
        if (k == 1 && i.op == opcode::brx) {
          put_table(i[k]);
        } else if (k + 1u < i.operand_count && is_inside_brackets(i[k + 1])) {
          put_place(i[k]);
          out_.put(", ");
          put_operand(i[++k]);
          out_.put(']');
        } else {
          put_operand(i[k]);
        }
      }
    }
    out_.put(';');
  }

  /// Markers too, as messages show them.
  void put_any(const instruction& i) {
    if (!is_marker(i.op)) return put_instruction(i);
    out_.put(name(i.op));
    for (const operand& o : i.operands()) {
      out_.put(' ');
      put_operand(o);
    }
  }

 private:
  void put_guard(const instruction& i) {
    out_.put(i.guard_negated ? "@!" : "@");
    put_register(i.guard);
    out_.put(' ');
  }

  /// The name of the list written last, or the list where none was.
  void put_table(const operand& list) {
    if (table_count_ == 0) return put_operand(list);
    out_.put("$T");
    out_.put_number(table_count_ - 1);
  }

  void call_operands(const instruction& i) {
    out_.put(' ');
    if (i[0].value != 0) {
      out_.put('(');
      comma_separated(i[0]);
      out_.put("), ");
    }
    put_operand(i[1]);
    if (i[2].value != 0) {
      out_.put(", (");
      comma_separated(i[2]);
      out_.put(')');
    }
    if (i.operand_count < 4) return;
    out_.put(", ");
    if (i[3].is(operand_kind::vector))
      put_table(i[3]);
    else
      put_operand(i[3]);
  }

  void comma_separated(const operand& group) {
    bool first = true;
    for (const operand& part : function_->parts(group)) {
      if (!first) out_.put(", ");
      first = false;
      put_operand(part);
    }
  }

  void put_register(std::uint32_t id) {
    out_.put(numbers_[id].prefix);
    out_.put_number(numbers_[id].number);
  }

  void put_symbol(operand_kind kind, std::uint32_t id) {
    switch (kind) {
      case operand_kind::variable:
        return out_.put_name(module_.variables[id].name);
      case operand_kind::local:
        return out_.put_name(function_->locals[id].name);
      case operand_kind::param:
        return put_parameter(id);
      case operand_kind::function:
        return out_.put_name(module_.functions[id].name);
      default:
        return;
    }
  }

  void put_parameter(std::uint32_t id) {
    const std::size_t count = function_->params.size();
    out_.put_name(id < count ? function_->params[id].name : function_->results[id - count].name);
  }

  void put_offset(std::int64_t value) {
    if (value == 0) return;
    out_.put('+');
    out_.put_number(value);
  }

  static bool is_inside_brackets(const operand& o) {
    return o.is(operand_kind::vector) && o.base == operand_kind::address;
  }

  /// An address up to its closing bracket.
  void put_place(const operand& o) {
    out_.put('[');
    if (o.base == operand_kind::none) return out_.put_number(o.value);
    if (o.base == operand_kind::reg)
      put_register(o.id);
    else
      put_symbol(o.base, o.id);
    put_offset(o.value);
  }

  void put_operand(const operand& o) {
    if (o.negated) out_.put(o.is_reg() && function_->registers[o.id].type != token::pred ? '-' : '!');
    switch (o.kind) {
      case operand_kind::none:
        break;
      case operand_kind::reg:
        put_register(o.id);
        if (o.value != 0) out_.put('.'), out_.put(register_part_name(o.value));
        break;
      case operand_kind::special:
        out_.put('%');
        out_.put(name(static_cast<special>(o.id)));
        break;
      case operand_kind::integer:
        out_.put_number(o.value);
        break;
      case operand_kind::f32:
        out_.put("0f");
        out_.put_hex(static_cast<std::uint64_t>(o.value), 8);
        break;
      case operand_kind::f64:
        out_.put("0d");
        out_.put_hex(static_cast<std::uint64_t>(o.value), 16);
        break;
      case operand_kind::variable:
      case operand_kind::local:
      case operand_kind::param:
      case operand_kind::function:
        put_symbol(o.kind, o.id);
        put_offset(o.value);
        break;
      case operand_kind::label:
        out_.put("$L");
        out_.put_number(o.id);
        break;
      case operand_kind::address:
        put_place(o);
        out_.put(']');
        break;
      case operand_kind::vector:
        out_.put('{');
        comma_separated(o);
        out_.put('}');
        break;
      case operand_kind::pair: {
        const auto parts = function_->parts(o);
        put_operand(parts[0]);
        out_.put('|');
        put_operand(parts[1]);
        break;
      }
      case operand_kind::sink:
        out_.put('_');
        break;
      case operand_kind::prototype:
        out_.put("$P");
        out_.put_number(o.id);
        break;
    }
  }

  struct numbered {
    std::string_view prefix;
    std::uint32_t number = 0;
  };

  const module& module_;
  text_out& out_;
  const function* function_ = nullptr;
  std::uint32_t table_count_ = 0;
  std::vector<numbered> numbers_;
};

}  // namespace tg::ptx::detail
