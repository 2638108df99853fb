// The operands of a call: results, callee, arguments, and the prototype of one through a register.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/parse/parse_body.hpp>
#include <tg/ptx/parse/parse_expansion.hpp>
#include <tg/ptx/parse/parse_operand.hpp>
#include <tg/ptx/parse/parse_scope.hpp>
#include <tg/ptx/parse/unique_names.hpp>

namespace tg::ptx::detail {

/// Reads them into the instruction that was opened last.
class call_parser {
 public:
  call_parser(lexer& in, function& f, scopes& s, operand_parser& operands, function_body& body, unique_names& names)
      : in_(in), function_(f), scopes_(s), operands_(operands), body_(body), names_(names) {}

  /// `(results), callee, (arguments), prototype`, of which all but the callee may be missing.
  void operator()() {
    const std::size_t index = function_.body.size() - 1;
    const operand empty = function_.new_vector({});
    operand results = empty, arguments = empty;
    dynamic_array<instruction> before, after;
    if (in_.accept("(")) {
      results = call_list(false, after);
      in_.expect(",");
    }
    function_.body[index].add(results);
    const word name = in_.take();
    if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "a function expected");
    const auto local = scopes_.find(name.text);
    function_.body[index].add(local ? operands_.to_operand(*local, name) : operands_.module_symbol(name));
    bool has_arguments = false, has_prototype = false;
    word table;
    while (in_.accept(",")) {
      if (!has_arguments && in_.accept("(")) {
        arguments = call_list(true, before);
        has_arguments = true;
      } else if (!has_prototype) {
        table = in_.take();
        if (table.kind != word_kind::name) in_.fail_at(table, syntax_error, "a prototype expected");
        has_prototype = true;
      } else {
        in_.fail(syntax_error, "';' expected");
      }
    }
    function_.body[index].add(arguments);
    if (has_prototype) {
      body_.await(table, true, scopes_.current());
      function_.body[index].add(operand::named(operand_kind::prototype, 0));
    }
    const instruction& call = function_.body.back();
    for (instruction& i : after) {
      i.guard = call.guard;
      i.guard_negated = call.guard_negated;
    }
    body_.put_in_front(before);
    body_.add(after);
  }

 private:
  static constexpr std::size_t max_list = operand_parser::max_list;

  /// `a, b)` of a call. A vector register goes through a .param variable: `moves` says how.
  operand call_list(bool are_arguments, dynamic_array<instruction>& moves) {
    dynamic_array<operand> parts;
    while (!in_.peek().is(")")) {
      if (parts.size() >= max_list) in_.fail(too_large, "more than " + std::to_string(max_list) + " operands in a list");
      lexer ahead = in_;
      const word name = ahead.take();
      const auto own = name.kind == word_kind::name ? scopes_.find(name.text) : std::nullopt;
      if (own && own->kind == operand_kind::reg && own->parts > 1 && (ahead.peek().is(",") || ahead.peek().is(")"))) {
        in_.take();
        const token type = function_.registers[own->id].type;
        const operand through = operand::named(operand_kind::local, static_cast<std::uint32_t>(function_.locals.size()));
        function_.locals.push_back({.space = token::param,
                                    .type = bits_type(width_bits(type)),
                                    .align = own->parts * static_cast<std::uint32_t>(width_bits(type) / 8),
                                    .count = own->parts,
                                    .name = names_.make("vector")});
        expansion::move_parts(through, own->id, own->parts, type, are_arguments, moves);
        parts.push_back(through);
      } else {
        parts.push_back(operands_.part());
      }
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
    return function_.new_vector(parts);
  }

  lexer& in_;
  function& function_;
  scopes& scopes_;
  operand_parser& operands_;
  function_body& body_;
  unique_names& names_;
};

}  // namespace tg::ptx::detail
