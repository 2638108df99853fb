// Operands of instructions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/ir/register_part.hpp>
#include <tg/ptx/ir/special_name.hpp>
#include <tg/ptx/parse/parse_expression.hpp>
#include <tg/ptx/parse/parse_scope.hpp>

namespace tg::ptx::detail {

/// Variables and functions of the module.
using module_names = std::unordered_map<std::string_view, operand>;

class operand_parser {
 public:
  static constexpr std::size_t max_list = 4096;

  operand_parser(lexer& in, function& f, scopes& s, const module_names& names)
      : in_(in), function_(f), scopes_(s), names_(names) {}

  /// `a, {b}, c` up to `end`, as a vector.
  operand list(std::string_view end) {
    dynamic_array<operand> parts;
    while (!in_.peek().is(end)) {
      if (parts.size() >= max_list) in_.fail(too_large, "more than " + std::to_string(max_list) + " operands in a list");
      parts.push_back(part());
      if (!in_.accept(",")) break;
    }
    in_.expect(end);
    return function_.new_vector(parts);
  }

  operand one_operand() {
    if (in_.accept("{")) return list("}");
    if (in_.accept("[")) return address();
    const auto own = in_.peek().kind == word_kind::name ? scopes_.find(in_.peek().text) : std::nullopt;
    const operand first = simple();
    if (own && own->parts == 1 && first.is_reg() && first.value == 0 && in_.peek().is("+")) return sum(first);
    if (!in_.peek().is("|")) return first;
    if (first.is(operand_kind::vector)) in_.fail(syntax_error, "';' expected");
    in_.take();
    return function_.new_pair(first, part());
  }

  /// The coordinates that stood inside the brackets read last.
  std::optional<operand> take_coordinates() { return std::exchange(coordinates_, std::nullopt); }

  /// Instructions that the operands read last need in front of theirs.
  dynamic_array<instruction> take_before() { return std::exchange(before_, {}); }

  /// `array[%r+1]` with a register for an index, as its operand needs instructions in front.
  struct element {
    operand array;
    operand index;
    std::int64_t offset;  // elements
  };
  std::optional<element> take_element() { return std::exchange(element_, std::nullopt); }

  operand register_named(const word& w) {
    const auto found = w.kind == word_kind::name ? scopes_.find(w.text) : std::nullopt;
    if (!found || found->kind != operand_kind::reg || found->parts > 1)
      in_.fail_at(w, undeclared_name, "register '" + std::string(w.text) + "' is not declared");
    return operand::reg(found->id);
  }

  operand to_operand(const symbol& s, const word& at) {
    if (s.kind == operand_kind::reg && s.parts > 1) in_.fail_at(at, syntax_error, "one register expected");
    operand out = operand::named(s.kind, s.id);
    if (s.kind != operand_kind::reg || in_.peek().kind != word_kind::dotted) return out;
    const auto part = to_register_part(in_.peek().text);
    if (!part) in_.fail(unsupported, "this part of a register", "shift and mask it");
    in_.take();
    out.value = *part;
    return out;
  }

  operand module_symbol(const word& w) {
    const auto at = names_.find(w.text);
    if (w.kind != word_kind::name || at == names_.end())
      in_.fail_at(w, undeclared_name, "'" + std::string(w.text) + "' is not declared");
    return at->second;
  }

  /// An operand inside a vector or pair.
  operand part() {
    const word at = in_.peek();
    const operand out = simple();
    if (out.is(operand_kind::vector)) in_.fail_at(at, syntax_error, "a vector inside a vector");
    return out;
  }

 private:
  operand simple() {
    const bool is_not = in_.peek().is("!") && !is_number_behind();
    if (!is_not && !begins_minus_register()) return name_or_number();
    in_.take();
    operand o = name_or_number();
    if (!o.is_reg() || (function_.registers[o.id].type == token::pred) != is_not)
      in_.fail(syntax_error, is_not ? "a predicate register expected behind '!'" : "a number expected behind '-'");
    o.negated = true;
    return o;
  }

  /// `%r+4`: the sum of an integer register and a number.
  operand sum(const operand& r) {
    const word at = in_.peek();
    const token type = function_.registers[r.id].type;
    const constant c = expression{in_}();
    if (c.kind != word_kind::integer) in_.fail_at(at, bad_number, "a whole number expected");
    if (type != token::b16 && type != token::b32 && type != token::b64)
      in_.fail_at(at, unsupported, "a number added to a register that is no integer", "add it in an instruction of its own");
    const operand made = operand::reg(function_.new_register(type));
    const token add = type == token::b16 ? token::s16 : type == token::b32 ? token::s32 : token::s64;
    before_.push_back({operation::add(add), {made, r, operand::integer(static_cast<std::int64_t>(c.bits))}});
    return made;
  }

  /// `-%r`, which only vmad has.
  bool begins_minus_register() const {
    if (!in_.peek().is("-")) return false;
    lexer ahead = in_;
    ahead.take();
    const auto named = ahead.peek().kind == word_kind::name ? scopes_.find(ahead.peek().text) : std::nullopt;
    return named && named->kind == operand_kind::reg;
  }

  bool is_number_behind() const {
    lexer ahead = in_;
    ahead.take();
    return expression::begins(ahead.peek()) || ahead.peek().is("!");
  }

  operand name_or_number() {
    const word w = in_.peek();
    if (expression::begins(w) || w.is("!")) return number();
    if (w.kind != word_kind::name) in_.fail(syntax_error, "an operand expected");
    in_.take();
    if (w.text == "_") return {.kind = operand_kind::sink};
    const auto own = scopes_.find(w.text);
    if (own && own->kind == operand_kind::reg && own->parts > 1) return vector_register(*own);
    operand out = own ? to_operand(*own, w) : w.text[0] == '%' ? special_register(w) : module_symbol(w);
    if ((out.is(operand_kind::variable) || out.is(operand_kind::local)) && in_.accept("[")) return element_of(out);
    if (!out.is_reg() && out.kind != operand_kind::special && (in_.peek().is("+") || in_.peek().is("-")))
      out.value = static_cast<std::int64_t>(expression{in_}().bits);
    return out;
  }

  /// `array[%r]`, `array[%r+1]`: which operand it is, take_element says.
  operand element_of(const operand& array) {
    const word w = in_.peek();
    const operand index = expression::begins(w) ? operand{} : register_named(in_.take());
    std::int64_t offset = 0;
    if (index.is_reg() && in_.peek().is("-")) in_.fail(syntax_error, "'+' or ']' expected");
    if (!in_.peek().is("]")) offset = static_cast<std::int64_t>(expression{in_}().bits);
    in_.expect("]");
    element_ = {array, index, offset};
    return operand::address(array);
  }

  operand number() {
    const constant c = expression{in_}();
    operand out{.kind = c.kind == word_kind::integer ? operand_kind::integer
                        : c.kind == word_kind::f32   ? operand_kind::f32
                                                     : operand_kind::f64,
                .value = static_cast<std::int64_t>(c.bits)};
    return out;
  }

  /// `[reg]`, `[name+4]`, `[64]`, `[map, {x, y}]`
  operand address() {
    operand out{.kind = operand_kind::address};
    const word w = in_.peek();
    if (w.kind == word_kind::name && w.text != "WARP_SZ") {
      in_.take();
      const auto own = scopes_.find(w.text);
      if (!own && w.text[0] == '%') in_.fail_at(w, undeclared_name, "register '" + std::string(w.text) + "' is not declared");
      const operand base = own ? to_operand(*own, w) : module_symbol(w);
      if (base.is_reg() && base.value != 0) in_.fail_at(w, syntax_error, "a whole register expected");
      out.base = base.kind;
      out.id = base.id;
    }
    if (out.base == operand_kind::none || in_.peek().is("+") || in_.peek().is("-")) {
      const word at = in_.peek();
      const constant c = expression{in_}();
      if (c.kind != word_kind::integer) in_.fail_at(at, bad_number, "an offset is a whole number");
      out.value = static_cast<std::int64_t>(c.bits);
    }
    if (in_.accept(",")) {
      in_.expect("{");
      coordinates_ = list("}");
      coordinates_->base = operand_kind::address;
    }
    in_.expect("]");
    return out;
  }

  /// `v` of `.reg .v4 .f32 v` is the vector of its parts, `v.x` one of them.
  operand vector_register(const symbol& s) {
    if (in_.peek().kind == word_kind::dotted && in_.peek().text.size() == 1) {
      const std::size_t part = std::string_view("xyzwrgba").find(in_.peek().text[0]);
      if (part == std::string_view::npos || part % 4 >= s.parts) in_.fail(undeclared_name, "the vector has no such part");
      in_.take();
      return operand::reg(s.id + static_cast<std::uint32_t>(part % 4));
    }
    dynamic_array<operand> parts;
    for (std::uint32_t i = 0; i < s.parts; ++i) parts.push_back(operand::reg(s.id + i));
    return function_.new_vector(parts);
  }

  operand special_register(const word& w) {
    std::string text(w.text.substr(1));
    if (in_.peek().kind == word_kind::dotted && in_.peek().text.size() == 1) {
      text += '.';
      text += in_.take().text;
    }
    const ptx::special s = to_special(text);
    if (const ptx::special first = to_special(text + ".x"); s == special::none && is_vector(first)) {
      // x, y and z of this, and 0.
      const auto id = static_cast<std::uint32_t>(first);
      const operand parts[] = {operand::named(operand_kind::special, id), operand::named(operand_kind::special, id + 1),
                               operand::named(operand_kind::special, id + 2), operand::integer(0)};
      return function_.new_vector(parts);
    }
    if (s == special::none) in_.fail_at(w, undeclared_name, "register '%" + text + "' is not declared");
    return operand::special(s);
  }

  /// Those that can be read whole, by mov.v4.
  static bool is_vector(ptx::special first) {
    return first == special::tid_x || first == special::ntid_x || first == special::ctaid_x || first == special::nctaid_x;
  }

  lexer& in_;
  function& function_;
  scopes& scopes_;
  const module_names& names_;
  std::optional<operand> coordinates_;
  dynamic_array<instruction> before_;
  std::optional<element> element_;
};

}  // namespace tg::ptx::detail
