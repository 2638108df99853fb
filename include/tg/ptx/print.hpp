// Module → PTX text.
//
// Operands of a call: result list, callee, argument list (vectors, maybe empty), then for a call through a register its
// prototype or the vector of functions it may reach. Operand 1 of brx is the vector of its labels.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include <tg/base/error.hpp>
#include <tg/ptx/module.hpp>
#include <tg/ptx/type.hpp>

namespace tg::ptx {

/// For each function and each of its instructions the line of the PTX text, from 1.
using line_map = std::vector<std::vector<std::uint32_t>>;

namespace detail {

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

constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

constexpr bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  if (text.size() == 1 && !(text[0] >= 'A' && text[0] <= 'z' && text[0] != '_')) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (!is_name_char(text[i]) && !(i == 0 && text[i] == '%')) return false;
  return true;
}

/// A file name as it can stand in a `.file` directive.
inline std::string printable_path(std::string_view path) {
  std::string out(path);
  for (char& c : out)
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') c = '_';
  return out;
}

class printer {
 public:
  explicit printer(const module& m, line_map* lines = nullptr) : module_(m), lines_(lines) {}

  std::string operator()() {
    std::size_t instructions = 0;
    for (const function& f : module_.functions) instructions += f.body.size() + 16;
    out_.reserve(256 + 40 * instructions);
    if (lines_ != nullptr) lines_->assign(module_.functions.size(), {});
    header();
    for (const function& f : module_.functions)
      if (f.is_external) declaration(f);
    for (const function& f : module_.functions)
      if (!f.is_external && !f.is_entry) declaration(f);
    for (const variable& v : module_.variables) module_variable(v);
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (!module_.functions[i].is_external) definition(module_.functions[i], i);
    return std::move(out_);
  }

  /// One instruction, marker or not, as messages show it.
  std::string operator()(const function& f, const instruction& i) {
    function_ = &f;
    name_registers(f);
    if (is_marker(i.op)) {
      if (i.is_guarded()) put_guard(i);
      put(name(i.op));
    } else {
      put_instruction(i);
    }
    return out_.substr(out_[0] == '\t' ? 1 : 0);
  }

 private:
  void put(std::string_view text) { out_.append(text); }
  void put(char c) { out_.push_back(c); }
  template <class Int>
  void put_number(Int value) {
    char text[24];
    out_.append(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
  void put_hex(std::uint64_t value, int digits) {
    static constexpr char digit[] = "0123456789ABCDEF";
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) put(digit[value >> shift & 15]);
  }
  void end_line() {
    put('\n');
    ++line_;
  }
  void put_name(std::string_view text) {
    if (!is_name(text))
      throw error(bad_name, "'" + printable_path(text) + "' is no PTX name",
                  "use letters, digits, _ and $, and no digit first");
    put(text);
  }

  void header() {
    put(".version ");
    put_number(module_.version.major);
    put('.');
    put_number(module_.version.minor);
    end_line();
    put(".target sm_");
    put_number(module_.sm);
    put(module_.target_suffix);
    end_line();
    put(".address_size 64");
    end_line();
    end_line();
    for (std::size_t i = 1; i < module_.files.size(); ++i) {
      put(".file ");
      put_number(i);
      put(" \"");
      put(printable_path(module_.files[i]));
      put('"');
      end_line();
    }
  }

  void type_and_name(const variable& v, std::string_view name) {
    if (v.align != 0) {
      put(".align ");
      put_number(v.align);
      put(' ');
    }
    put('.');
    put(ptx::name(v.type));
    put(' ');
    put_name(name);
    if (v.count > 0) {
      put('[');
      put_number(v.count);
      put(']');
    } else if (v.count < 0) {
      put("[]");
    }
  }

  void module_variable(const variable& v) {
    if (v.external) put(".extern ");
    if (v.weak) put(".weak ");
    if (v.visible) put(".visible ");
    put('.');
    put(ptx::name(v.space));
    put(' ');
    if (v.managed) put(".attribute(.managed) ");
    type_and_name(v, v.name);
    if (!v.initial.empty()) initializer(v);
    put(';');
    end_line();
  }

  void initializer(const variable& v) {
    const bool is_array = v.count != 0;
    const std::size_t width = static_cast<std::size_t>(std::max(1, width_bits(v.type) / 8));
    put(is_array ? " = {" : " = ");
    auto relocation = v.relocations.begin();
    for (std::size_t at = 0; at < v.initial.size(); at += width) {
      if (at != 0) put(", ");
      while (relocation != v.relocations.end() && static_cast<std::size_t>(relocation->offset) + 8 <= at) ++relocation;
      if (relocation != v.relocations.end() && static_cast<std::size_t>(relocation->offset) <= at) {
        put_relocation(*relocation, at - static_cast<std::size_t>(relocation->offset), width);
        continue;
      }
      std::uint64_t value = 0;
      for (std::size_t b = 0; b < width && at + b < v.initial.size(); ++b)
        value |= std::to_integer<std::uint64_t>(v.initial[at + b]) << (8 * b);
      if (is_float(v.type)) {
        put(width == 4 ? "0f" : "0d");
        put_hex(value, static_cast<int>(2 * width));
      } else {
        put_number(value);
      }
    }
    if (is_array) put('}');
  }

  void put_relocation(const variable::relocation& r, std::size_t byte, std::size_t width) {
    if (width == 1) {
      put("0xFF");
      for (std::size_t i = 0; i < byte; ++i) put("00");
      put('(');
    }
    if (r.generic) put("generic(");
    put_name(r.target.kind == operand_kind::function ? module_.functions[r.target.id].name
                                                     : module_.variables[r.target.id].name);
    if (r.generic) put(')');
    if (r.target.value != 0) {
      if (r.target.value > 0) put('+');
      put_number(r.target.value);
    }
    if (width == 1) put(')');
  }

  void parameters(const std::vector<variable>& list, bool one_per_line, bool named = true) {
    put('(');
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) put(one_per_line ? "," : ", ");
      if (one_per_line) {
        end_line();
        put('\t');
      }
      put(".param ");
      type_and_name(list[i], named ? std::string_view(list[i].name) : "_x");
    }
    if (one_per_line && !list.empty()) end_line();
    put(')');
  }

  void signature(const function& f) {
    if (f.is_external) put(".extern ");
    if (f.is_weak) put(".weak ");
    if (f.is_visible && !f.is_external) put(".visible ");
    put(f.is_entry ? ".entry " : ".func ");
    if (!f.results.empty()) {
      parameters(f.results, false);
      put(' ');
    }
    put_name(f.name);
    parameters(f.params, true);
    if (f.never_returns) put(" .noreturn");
  }

  void declaration(const function& f) {
    signature(f);
    put(';');
    end_line();
  }

  void bound(std::string_view directive, const std::array<std::uint32_t, 3>& n) {
    if (n[0] == 0) return;
    put(directive);
    for (std::size_t i = 0; i < 3; ++i) {
      put(i == 0 ? " " : ", ");
      put_number(n[i] == 0 ? 1u : n[i]);
    }
    end_line();
  }
  void bound(std::string_view directive, std::uint32_t n) {
    if (n == 0) return;
    put(directive);
    put(' ');
    put_number(n);
    end_line();
  }

  void definition(const function& f, std::size_t index) {
    function_ = &f;
    last_ = {};
    end_line();
    signature(f);
    end_line();
    bound(".maxntid", f.bounds.max_threads);
    bound(".reqntid", f.bounds.required_threads);
    bound(".minnctapersm", f.bounds.min_blocks_per_sm);
    bound(".maxnreg", f.bounds.max_registers);
    bound(".reqnctapercluster", f.bounds.cluster);
    bound(".maxclusterrank", f.bounds.max_cluster_rank);
    if (f.bounds.explicit_cluster) {
      put(".explicitcluster");
      end_line();
    }
    put('{');
    end_line();
    registers(f);
    for (const variable& v : f.locals) {
      put("\t.");
      put(ptx::name(v.space));
      put(' ');
      type_and_name(v, v.name);
      put(';');
      end_line();
    }
    for (std::size_t i = 0; i < f.prototypes.size(); ++i) prototype_label(f.prototypes[i], i);
    end_line();
    std::vector<std::uint32_t>* lines = lines_ == nullptr ? nullptr : &(*lines_)[index];
    if (lines != nullptr) lines->reserve(f.body.size());
    table_count_ = 0;
    for (const instruction& i : f.body) {
      place(i);
      if (i.op == opcode::brx || i.op == opcode::call) target_table(i);
      if (lines != nullptr) lines->push_back(line_);
      put_instruction(i);
      end_line();
    }
    put('}');
    end_line();
  }

  /// Registers are numbered in their class; returns how many each class has.
  std::array<std::uint32_t, register_classes.size()> name_registers(const function& f) {
    std::array<std::uint32_t, register_classes.size()> counts{};
    numbers_.resize(f.registers.size());
    for (std::size_t r = 0; r < f.registers.size(); ++r) {
      const token own = register_class(f.registers[r].type);
      for (std::size_t c = 0; c < counts.size(); ++c)
        if (register_classes[c] == own) numbers_[r] = {register_prefix(own), counts[c]++};
    }
    return counts;
  }

  void registers(const function& f) {
    const auto counts = name_registers(f);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (counts[c] == 0) continue;
      put("\t.reg .");
      put(ptx::name(register_classes[c]));
      put(' ');
      put(register_prefix(register_classes[c]));
      put('<');
      put_number(counts[c]);
      put(">;");
      end_line();
    }
  }

  void prototype_label(const prototype& p, std::size_t index) {
    put("$P");
    put_number(index);
    put(": .callprototype ");
    if (!p.results.empty()) parameters(p.results, false, false);
    put(" _ ");
    parameters(p.params, false, false);
    if (p.never_returns) put(" .noreturn");
    put(';');
    end_line();
  }

  void place(const instruction& i) {
    if (i.where.file == 0 || i.where.line == 0 || i.where == last_) return;
    last_ = i.where;
    put("\t.loc ");
    put_number(i.where.file);
    put(' ');
    put_number(i.where.line);
    put(" 0");
    end_line();
  }

  /// The list of labels or functions that an indirect branch or call names.
  void target_table(const instruction& i) {
    const operand& list = i[i.op == opcode::brx ? 1 : 3];
    if (i.operand_count != (i.op == opcode::brx ? 2 : 4) || list.kind != operand_kind::vector) return;
    put("$T");
    put_number(table_count_++);
    put(i.op == opcode::brx ? ": .branchtargets " : ": .calltargets ");
    comma_separated(list);
    put(';');
    end_line();
  }

  void put_instruction(const instruction& i) {
    if (i.op == opcode::label) {
      put_operand(i[0]);
      put(':');
      return;
    }
    if (i.op == opcode::none || is_marker(i.op))
      throw error(not_flat, "'" + std::string(name(i.op)) + "' cannot be printed", "flatten the function first");
    put('\t');
    if (i.is_guarded()) put_guard(i);
    put(name(i.op));
    for (const token t : i.tokens()) {
      put('.');
      put(name(t));
    }
    if (i.op == opcode::call) {
      call_operands(i);
    } else {
      for (std::size_t k = 0; k < i.operand_count; ++k) {
        put(k == 0 ? " " : ", ");
        if (k == 1 && i.op == opcode::brx)
          last_table();
        else
          put_operand(i[k]);
      }
    }
    put(';');
  }

  void put_guard(const instruction& i) {
    put(i.guard_negated ? "@!" : "@");
    put_register(i.guard);
    put(' ');
  }

  void last_table() {
    put("$T");
    put_number(table_count_ - 1);
  }

  void call_operands(const instruction& i) {
    put(' ');
    if (i[0].value != 0) {
      put('(');
      comma_separated(i[0]);
      put("), ");
    }
    put_operand(i[1]);
    if (i[2].value != 0) {
      put(", (");
      comma_separated(i[2]);
      put(')');
    }
    if (i.operand_count < 4) return;
    put(", ");
    if (i[3].kind == operand_kind::vector)
      last_table();
    else
      put_operand(i[3]);
  }

  void comma_separated(const operand& group) {
    bool first = true;
    for (const operand& part : function_->parts(group)) {
      if (!first) put(", ");
      first = false;
      put_operand(part);
    }
  }

  void put_register(std::uint32_t id) {
    put(numbers_[id].prefix);
    put_number(numbers_[id].number);
  }

  void put_symbol(operand_kind kind, std::uint32_t id) {
    switch (kind) {
      case operand_kind::variable:
        return put_name(module_.variables[id].name);
      case operand_kind::local:
        return put_name(function_->locals[id].name);
      case operand_kind::param:
        return put_parameter(id);
      case operand_kind::function:
        return put_name(module_.functions[id].name);
      default:
        return;
    }
  }

  void put_parameter(std::uint32_t id) {
    const std::size_t count = function_->params.size();
    put_name(id < count ? function_->params[id].name : function_->results[id - count].name);
  }

  void put_offset(std::int64_t value) {
    if (value == 0) return;
    put('+');
    put_number(value);
  }

  void put_operand(const operand& o) {
    if (o.negated) put('!');
    switch (o.kind) {
      case operand_kind::none:
        break;
      case operand_kind::reg:
        put_register(o.id);
        break;
      case operand_kind::special:
        put('%');
        put(name(static_cast<special>(o.id)));
        break;
      case operand_kind::integer:
        put_number(o.value);
        break;
      case operand_kind::f32:
        put("0f");
        put_hex(static_cast<std::uint64_t>(o.value), 8);
        break;
      case operand_kind::f64:
        put("0d");
        put_hex(static_cast<std::uint64_t>(o.value), 16);
        break;
      case operand_kind::variable:
      case operand_kind::local:
      case operand_kind::param:
      case operand_kind::function:
        put_symbol(o.kind, o.id);
        put_offset(o.value);
        break;
      case operand_kind::label:
        put("$L");
        put_number(o.id);
        break;
      case operand_kind::address:
        put('[');
        if (o.base == operand_kind::none) {
          put_number(o.value);
        } else {
          if (o.base == operand_kind::reg)
            put_register(o.id);
          else
            put_symbol(o.base, o.id);
          put_offset(o.value);
        }
        put(']');
        break;
      case operand_kind::vector:
        put('{');
        comma_separated(o);
        put('}');
        break;
      case operand_kind::pair: {
        const auto parts = function_->parts(o);
        put_operand(parts[0]);
        put('|');
        put_operand(parts[1]);
        break;
      }
      case operand_kind::sink:
        put('_');
        break;
      case operand_kind::prototype:
        put("$P");
        put_number(o.id);
        break;
    }
  }

  struct numbered {
    std::string_view prefix;
    std::uint32_t number = 0;
  };

  const module& module_;
  const function* function_ = nullptr;
  line_map* lines_;
  std::string out_;
  std::uint32_t line_ = 1;
  std::uint32_t table_count_ = 0;
  location last_;
  std::vector<numbered> numbers_;
};

}  // namespace detail

/// The PTX text of `m`.
/// Requires: flat functions (see `flatten`), ids in range, which `verify` checks.
/// Errors: TG319 for a name PTX cannot spell, TG320 for a marker of structured control flow.
/// Cost: about 50 ns per instruction.
inline std::string print(const module& m) { return detail::printer(m)(); }

/// The same, and on which line each instruction stands.
inline std::string print(const module& m, line_map& lines) { return detail::printer(m, &lines)(); }

/// `add.s32 %r2, %r0, %r1;`, for messages; markers of structured control flow included.
inline std::string to_string(const module& m, const function& f, const instruction& i) {
  return detail::printer(m)(f, i);
}

}  // namespace tg::ptx
