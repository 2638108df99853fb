// One instruction as text.
//
// Operands of a call: result list, callee, argument list (vectors, maybe empty), then for a call through a register its
// prototype or the vector of functions it may reach. Operand 1 of brx is the vector of its labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/head_table.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/register_part.hpp>
#include <tg/ptx/ir/special_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/print/print_text.hpp>

namespace tg::ptx::detail {

constexpr std::string_view register_prefix(token type) {
  switch (register_class(type)) {
    case token::pred: return "%p";
    case token::b8: return "%rc";
    case token::b16: return "%rs";
    case token::b64: return "%rd";
    case token::b128: return "%rq";
    case token::f32: return "%f";
    case token::f64: return "%fd";
    default: return "%r";
  }
}

/// The classes in the order their registers are declared.
inline constexpr fixed_array register_classes = {token::pred, token::b8,   token::b16, token::b32,
                                                 token::b64,  token::b128, token::f32, token::f64};

/// Where the class of `type` stands among them; their number where a register cannot have the type.
constexpr std::size_t class_number(token type) {
  const token own = register_class(type);
  std::size_t at = 0;
  while (at < register_classes.size() && register_classes[at] != own) ++at;
  return at;
}

class instruction_printer {
 public:
  instruction_printer(const module& m, text_out& out) : module_(m), out_(out) {}

  using class_counts = fixed_array<std::uint32_t, register_classes.size()>;

  /// Registers are numbered in their class; returns how many each class has.
  class_counts enter(const function& f) {
    function_ = &f;
    table_count_ = 0;
    class_counts counts{};
    registers_.resize(f.registers.size());
    for (std::size_t r = 0; r < registers_.size(); ++r) {
      const token type = f.registers[r].type;
      if (const std::size_t own = class_number(type); own < counts.size())
        registers_[r] = register_name(register_prefix(type), counts[own]++);
    }
    return counts;
  }

  /// The list of labels or functions that an indirect branch or call names.
  void put_targets(const instruction& i) {
    const bool is_branch = i.op == opcode::brx;
    const operand& list = i[is_branch ? 1 : 3];
    if ((!is_branch && !has_trait(i.op, trait::calls)) || !list.is(operand_kind::vector)) return;
    out_.put("$T");
    out_.put_number(table_count_++);
    out_.put(is_branch ? ": .branchtargets " : ": .calltargets ");
    out_.end(comma_separated(out_.end(), list));
    out_.put_line(';');
  }

  void put_instruction(const instruction& i) {
    char* at = room(out_.end());
    if (i.op == opcode::label) return out_.end(write(room(write_operand(at, i[0])), ':'));
    if (i.op == opcode::none || is_marker(i.op))
      throw error(not_flat, "'" + std::string(name(i.op)) + "' cannot be printed", "flatten the function first");
    at = write(at, '\t');
    if (i.op == opcode::assume) at = write(at, aside);
    if (i.is_guarded()) {
      at = write(at, '@');
      if (i.guard_negated) at = write(at, '!');
      at = write(write_register(at, i.guard), ' ');
    }
    at = write_head(at, i);
    at = has_trait(i.op, trait::calls) ? call_operands(at, i) : operands(at, i);
    out_.end(write(room(at), ';'));
  }

  /// Markers too, as messages show them.
  void put_any(const instruction& i) {
    if (!is_marker(i.op)) return put_instruction(i);
    out_.put(name(i.op));
    for (const operand& o : i.operands()) {
      out_.put(' ');
      out_.end(write_operand(out_.end(), o));
    }
  }

 private:
  /// More than what is written without asking again takes: an address, or a guard; a name asks for itself.
  static constexpr std::size_t most_bytes = 64;
  char* room(char* at) { return out_.room(at, most_bytes); }

  /// `%rd12`, spelled once for each register of a function.
  struct register_name {
    fixed_array<char, 15> text{};
    std::uint8_t size = 0;

    register_name() = default;
    register_name(std::string_view prefix, std::uint32_t number)
        : size(static_cast<std::uint8_t>(write_number(write(text.data(), prefix), number) - text.data())) {}
  };

  char* write_register(char* at, std::uint32_t id) const {
    const register_name& own = registers_[id];
    std::memcpy(at, own.text.data(), own.text.size());  // all of it: a length known to the compiler makes no call
    return at + own.size;
  }

  /// Opcode and modifiers: `fma.rn.f32`.
  char* write_head(char* at, const instruction& i) {
    const head_text own = spelled_.heads.of(i, [&](const instruction& one) { return spell_head(one); });
    at = out_.room(at, own.size + most_bytes);
    for (std::size_t k = 0; k < own.size; k += block_bytes)
      std::memcpy(at + k, spelled_.texts.data() + own.first + k, block_bytes);
    return at + own.size;
  }

  /// A part of `spelled_heads::texts`, which is filled up to whole blocks.
  struct head_text { std::size_t first = 0, size = 0; };
  static constexpr std::size_t block_bytes = 16;
  struct spelled_heads {
    head_table<head_text> heads;
    std::string texts;
  };

  head_text spell_head(const instruction& i) {
    std::string& texts = spelled_.texts;
    const std::size_t first = texts.size();
    texts += name(i.op);
    for (const token t : i.tokens()) (texts += '.') += name(t);
    const std::size_t end = texts.size();
    texts.resize((end + block_bytes - 1) / block_bytes * block_bytes);
    return {first, end - first};
  }

  char* operands(char* at, const instruction& i) {
    for (std::size_t k = 0; k < i.operand_count; ++k) {
      const operand& o = i[k];
      at = room(at);
      if (k != 0) at = write(at, ',');
      at = write(at, ' ');
      if (k == 1 && i.op == opcode::brx) {
        at = write_table(at, o);
      } else if (k + 1u < i.operand_count && is_inside_brackets(i[k + 1])) {
        at = write(write(room(write_place(at, o)), ','), ' ');
        at = write(room(write_operand(at, i[++k])), ']');
      } else {
        at = o.is_reg() && !o.negated && o.value == 0 ? write_register(at, o.id) : write_operand(at, o);
      }
    }
    return at;
  }

  /// The name of the list written last, or the list where none was.
  char* write_table(char* at, const operand& list) {
    return table_count_ == 0 ? write_operand(at, list) : write_number(write(room(at), "$T"), table_count_ - 1);
  }

  char* call_operands(char* at, const instruction& i) {
    at = write(at, ' ');
    if (i[0].value != 0) {
      at = comma_separated(write(at, '('), i[0]);
      at = write(room(at), "), ");
    }
    at = write_operand(at, i[1]);
    if (i[2].value != 0) {
      at = comma_separated(write(room(at), ", ("), i[2]);
      at = write(room(at), ')');
    }
    if (i.operand_count < 4) return at;
    at = write(room(at), ", ");
    return i[3].is(operand_kind::vector) ? write_table(at, i[3]) : write_operand(at, i[3]);
  }

  char* comma_separated(char* at, const operand& group) {
    bool first = true;
    for (const operand& part : function_->parts(group)) {
      if (!first) at = write(room(at), ", ");
      first = false;
      at = write_operand(at, part);
    }
    return at;
  }

  char* write_name(char* at, std::string_view text) {
    require_name(text);
    return write(out_.room(at, text.size() + most_bytes), text);
  }

  char* write_symbol(char* at, operand_kind kind, std::uint32_t id) {
    switch (kind) {
      case operand_kind::variable: return write_name(at, module_.variables[id].name);
      case operand_kind::local: return write_name(at, function_->locals[id].name);
      case operand_kind::param: return write_parameter(at, id);
      case operand_kind::function: return write_name(at, module_.functions[id].name);
      default: return at;
    }
  }

  char* write_parameter(char* at, std::uint32_t id) {
    const std::size_t count = function_->params.size();
    return write_name(at, id < count ? function_->params[id].name : function_->results[id - count].name);
  }

  static char* write_offset(char* at, std::int64_t value) { return value == 0 ? at : write_number(write(at, '+'), value); }

  static bool is_inside_brackets(const operand& o) { return o.is(operand_kind::vector) && o.base == operand_kind::address; }

  /// An address up to its closing bracket.
  char* write_place(char* at, const operand& o) {
    at = write(room(at), '[');
    if (o.base == operand_kind::none) return write_number(at, o.value);
    at = o.base == operand_kind::reg ? write_register(at, o.id) : write_symbol(at, o.base, o.id);
    return write_offset(at, o.value);
  }

  char* write_operand(char* at, const operand& o) {
    at = room(at);
    if (o.negated) at = write(at, o.is_reg() && function_->registers[o.id].type != token::pred ? '-' : '!');
    switch (o.kind) {
      case operand_kind::none: return at;
      case operand_kind::reg:
        at = write_register(at, o.id);
        return o.value == 0 ? at : write(write(at, '.'), register_part_name(o.value));
      case operand_kind::special: return write(write(at, '%'), name(static_cast<special>(o.id)));
      case operand_kind::integer: return write_number(at, o.value);
      case operand_kind::f32: return write_hex(write(at, "0f"), static_cast<std::uint64_t>(o.value), 8);
      case operand_kind::f64: return write_hex(write(at, "0d"), static_cast<std::uint64_t>(o.value), 16);
      case operand_kind::variable:
      case operand_kind::local:
      case operand_kind::param:
      case operand_kind::function: return write_offset(write_symbol(at, o.kind, o.id), o.value);
      case operand_kind::label: return write_number(write(at, "$L"), o.id);
      case operand_kind::address: return write(write_place(at, o), ']');
      case operand_kind::vector: return write(room(comma_separated(write(at, '{'), o)), '}');
      case operand_kind::pair: {
        const auto parts = function_->parts(o);
        at = write_operand(at, parts[0]);
        return write_operand(write(room(at), '|'), parts[1]);
      }
      case operand_kind::sink: return write(at, '_');
      case operand_kind::prototype: return write_number(write(at, "$P"), o.id);
    }
    return at;
  }

  const module& module_;
  text_out& out_;
  const function* function_ = nullptr;
  std::uint32_t table_count_ = 0;
  dynamic_array<register_name> registers_;
  spelled_heads& spelled_ = kept_by_thread<spelled_heads>();
};

}  // namespace tg::ptx::detail
