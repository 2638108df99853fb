// The body of a function: declarations, labels, calls, instructions.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/meaning/effect.hpp>
#include <tg/ptx/parse/parse_body.hpp>
#include <tg/ptx/parse/parse_call.hpp>
#include <tg/ptx/parse/parse_expansion.hpp>
#include <tg/ptx/parse/parse_operand.hpp>
#include <tg/ptx/parse/parse_parameter.hpp>
#include <tg/ptx/parse/parse_scope.hpp>
#include <tg/ptx/parse/parse_variable.hpp>
#include <tg/ptx/parse/unique_names.hpp>
#include <tg/ptx/print/print_text.hpp>

namespace tg::ptx::detail {

class function_parser {
 public:
  function_parser(lexer& in, module& m, declarations& d, function& f, const module_names& names,
                  dynamic_array<std::uint32_t>& lines)
      : in_(in),
        module_(m),
        function_(f),
        names_(names),
        declarations_(d),
        parameters_(in, d),
        scopes_(f),
        operands_(in, f, scopes_, names),
        body_(in, f, lines),
        own_names_(names),
        calls_(in, f, scopes_, operands_, body_, own_names_),
        expansion_(in, m, f, body_) {}

  /// From behind the opening brace to behind the closing one.
  void operator()() {
    enter_parameters();
    for (;;) {
      if (in_.peek().kind == word_kind::end) in_.fail(syntax_error, "'}' expected");
      if (in_.accept("}")) {
        if (scopes_.depth() == 0) break;
        scopes_.close();
      } else if (in_.accept("{")) {
        if (scopes_.depth() >= max_depth) in_.fail(too_large, "scopes nested more than " + std::to_string(max_depth) + " deep");
        scopes_.open();
      } else {
        statement();
      }
    }
    body_.add(returned_);
    body_.resolve(scopes_, names_);
  }

  /// `"nounroll", "another";`
  void pragma(std::uint32_t before) {
    do function_.pragmas.push_back({before, printable(in_.expect_string("a string"))});
    while (in_.accept(","));
    in_.expect(";");
  }

  /// `.loc 1 20 5, function_name ..., inlined_at 1 30 2`; files keep the numbers of the text.
  void place() {
    const std::uint64_t file = in_.expect_integer("a file number", 0xffffffff);
    const std::uint64_t line = in_.expect_integer("a line", 0xffffffff);
    in_.expect_integer("a column", 0xffffffff);
    while (in_.accept(",")) {
      const std::string_view attribute = in_.expect_name("an attribute of .loc");
      if (attribute == "function_name") {
        in_.expect_name("a label");
        if (in_.accept("+")) in_.expect_integer("an offset", ~std::uint64_t{0});
      } else {
        for (const char* what : {"a file number", "a line", "a column"}) in_.expect_integer(what, 0xffffffff);
      }
    }
    body_.place(line == 0 ? location{} : location{static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(line)});
  }

 private:
  static constexpr std::size_t max_depth = 200;
  static constexpr std::size_t max_list = operand_parser::max_list;

  void statement() {
    const word first = in_.peek();
    if (first.kind == word_kind::dotted) return directive();
    bool negated = false;
    std::uint32_t guard = no_index;
    if (in_.accept("@")) {
      negated = in_.accept("!");
      const word name = in_.take();
      const operand p = operands_.register_named(name);
      if (register_class(function_.registers[p.id].type) != token::pred)
        in_.fail_at(name, wrong_register, "'" + std::string(name.text) + "' is no predicate register");
      guard = p.id;
    }
    const word name = in_.take();
    if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "an instruction expected");
    if (guard == no_index && in_.accept(":")) return label(name);
    if (name.text == "ret") body_.add(returned_);
    instruction& added = body_.open(name);
    added.guard = guard;
    added.guard_negated = negated;
    opcode_and_modifiers(added, name);
    if (has_trait(added.op, trait::calls)) calls_();
    else if (!in_.peek().is(";")) operands();
    if (in_.peek().is_aside != first.is_aside) in_.fail(syntax_error, "an aside ends with its line");
    in_.expect(";");
  }

  void directive() {
    const word w = in_.take();
    if (w.text == "loc") return place();
    if (w.text == "reg") return registers();
    if (w.text == "pragma") return pragma(static_cast<std::uint32_t>(function_.body.size()));
    const token space = to_token(w.text);
    if (space == token::local || space == token::shared || space == token::param || space == token::global ||
        space == token::const_)
      return locals(space);
    if (w.text == "section") {
      in_.skip_past("{");
      return in_.skip_braces();
    }
    in_.fail_at(w, unsupported, "directive '." + std::string(w.text) + "' is not supported in a function");
  }

  /// Parameters in registers become .param ones that are read at the start and written before each return.
  void enter_parameters() {
    for (std::uint32_t i = 0; i < function_.params.size() + function_.results.size(); ++i) {
      const bool is_result = i >= function_.params.size();
      variable& v = is_result ? function_.results[i - function_.params.size()] : function_.params[i];
      if (v.space == token::reg) {
        const auto parts = static_cast<std::uint32_t>(v.count == 0 ? 1 : v.count);
        const auto first = static_cast<std::uint32_t>(function_.registers.size());
        for (std::uint32_t part = 0; part < parts; ++part) function_.new_register(register_class(v.type));
        if (!scopes_.declare(kept_names_.emplace_back(v.name), {operand_kind::reg, first, static_cast<std::uint8_t>(parts)}))
          in_.fail(redeclared_name, "parameter '" + v.name + "' is declared twice");
        v.space = token::none;
        v.name = own_names_.make(v.name);
        expansion::move_parts(operand::named(operand_kind::param, i), first, parts, v.type, is_result, returned_);
        if (!is_result) body_.add(std::exchange(returned_, {}));
      } else {
        declare_parameter(v.name, i);
      }
    }
  }

  void registers() {
    const declarations::typed t = declarations_.type();
    const token type = register_class(t.type);
    if (type == token::none) in_.fail(unknown_word, "no register has this type");
    do {
      const word name = in_.take();
      if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "a register name expected");
      if (name.text == "_") in_.fail_at(name, syntax_error, "'_' is no name");
      bool is_new = false;
      const auto parts = static_cast<std::uint8_t>(t.lanes);
      if (in_.accept("<")) {
        const std::uint64_t count = in_.expect_integer("a number of registers", 0xffffffff);
        in_.expect(">");
        is_new = scopes_.declare_range(name.text, type, count, parts);
      } else {
        const symbol s{operand_kind::reg, function_.new_register(type), parts};
        for (std::uint32_t lane = 1; lane < t.lanes; ++lane) function_.new_register(type);
        is_new = scopes_.declare(name.text, s);
      }
      if (!is_new) in_.fail_at(name, redeclared_name, "register '" + std::string(name.text) + "' is declared twice");
    } while (in_.accept(","));
    in_.expect(";");
  }

  void locals(token space) {
    const declarations::typed t = declarations_.type();
    do {
      const word at = in_.peek();
      variable v = declarations_.declarator(t, space);
      if (space == token::global || space == token::const_) {
        const std::uint32_t id = declarations_.add_nested(v);
        if (!scopes_.declare(at.text, {operand_kind::variable, id}))
          in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared twice");
        declarations_.maybe_initial(id);
        declarations_.require_size(module_.variables[id], at);
        continue;
      }
      declarations_.require_size(v, at);
      if (space == token::param) parameters_.require_no_vector(t, v, at);
      const symbol s{operand_kind::local, static_cast<std::uint32_t>(function_.locals.size())};
      if (!scopes_.declare(at.text, s)) in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared twice");
      v.name = own_names_.make(v.name);
      function_.locals.push_back(std::move(v));
    } while (in_.accept(","));
    in_.expect(";");
  }

  void declare_parameter(const std::string& name, std::uint32_t id) {
    if (!scopes_.declare(name, {operand_kind::param, id}))
      in_.fail(redeclared_name, "parameter '" + name + "' is declared twice");
    own_names_.take(name);
  }

  void label(const word& name) {
    if (in_.accept_dotted("callprototype")) return prototype_table(name);
    if (in_.accept_dotted("branchtargets")) return target_table(name, operand_kind::label);
    if (in_.accept_dotted("calltargets")) return target_table(name, operand_kind::function);
    const std::uint32_t id = function_.label_count++;
    if (!scopes_.define_label(name.text, id))
      in_.fail_at(name, redeclared_name, "label '" + std::string(name.text) + "' is defined twice");
    instruction& added = body_.open(name);
    added.op = opcode::label;
    added.add(operand::named(operand_kind::label, id));
  }

  void target_table(const word& name, operand_kind kind) {
    dynamic_array<operand> targets;
    dynamic_array<word> labels;
    do {
      const word target = in_.take();
      if (target.kind != word_kind::name) in_.fail_at(target, syntax_error, "a name expected");
      if (targets.size() >= max_list) in_.fail(too_large, "more than " + std::to_string(max_list) + " targets");
      operand o;
      o.kind = kind;
      if (kind == operand_kind::function) o = operands_.module_symbol(target);
      targets.push_back(o);
      labels.push_back(target);
    } while (in_.accept(","));
    in_.expect(";");
    const operand list = function_.new_vector(targets);
    if (kind == operand_kind::label)
      for (std::uint32_t i = 0; i < labels.size(); ++i) body_.await_element(labels[i], list.id + i, scopes_.current());
    if (!scopes_.define_table(name.text, list))
      in_.fail_at(name, redeclared_name, "'" + std::string(name.text) + "' is defined twice");
  }

  void prototype_table(const word& name) {
    prototype p;
    if (in_.peek().is("(")) parameters_(p.results, parameters::results);
    in_.expect_name("'_'");
    if (in_.peek().is("(")) parameters_(p.params, parameters::of_function);
    if (in_.accept_dotted("noreturn")) p.never_returns = true;
    in_.skip_past(";");
    const operand o = operand::named(operand_kind::prototype, static_cast<std::uint32_t>(function_.prototypes.size()));
    function_.prototypes.push_back(std::move(p));
    if (!scopes_.define_table(name.text, o))
      in_.fail_at(name, redeclared_name, "'" + std::string(name.text) + "' is defined twice");
  }

  void opcode_and_modifiers(instruction& i, const word& name) {
    i.op = to_opcode(name.text);
    const bool is_known = i.op != opcode::none && !is_marker(i.op) && i.op != opcode::label;
    if (!is_known || name.is_aside != (i.op == opcode::assume))
      in_.fail_at(name, unknown_word, "'" + std::string(name.text) + "' is no PTX instruction");
    if (has_trait(i.op, trait::texture))
      in_.fail_at(name, texture_refused, "'" + std::string(name.text) + "': textures and surfaces are not supported",
                  "read and write global memory instead");
    while (in_.peek().kind == word_kind::dotted) {
      const word w = in_.take();
      const token t = to_token(w.text);
      if (t == token::none) in_.fail_at(w, unknown_word, "'." + std::string(w.text) + "' is no modifier");
      if (t == token::const_ && in_.peek().is("[") && in_.touches(w)) bank();
      if (i.token_count == instruction::max_tokens) in_.fail_at(w, too_large, "more than 12 modifiers");
      i.add(t);
    }
  }

  /// `[2]` behind `.const`: banks are one address space.
  void bank() {
    in_.expect("[");
    in_.expect_integer("a bank", 10);
    in_.expect("]");
  }

  void operands() {
    const std::size_t index = function_.body.size() - 1;
    dynamic_array<instruction> before;
    do {
      if (function_.body[index].operand_count == instruction::max_operands) in_.fail(too_large, "more than 8 operands");
      const instruction& i = function_.body[index];
      const bool is_target = has_trait(i.op, trait::branch) || (i.op == opcode::brx && i.operand_count == 1);
      const word at = in_.peek();
      const operand o = is_target ? target(i.op == opcode::brx) : operands_.one_operand();
      function_.body[index].add(o);
      if (dynamic_array<instruction> sum = operands_.take_before(); !sum.empty()) {
        if (i.operand_count == 1 && writes_first(i)) in_.fail_at(at, syntax_error, "',' expected behind a result");
        before.insert(before.end(), sum.begin(), sum.end());
      }
      if (const auto coordinates = operands_.take_coordinates()) {
        if (function_.body[index].operand_count == instruction::max_operands) in_.fail(too_large, "more than 8 operands");
        function_.body[index].add(*coordinates);
      }
    } while (in_.accept(","));
    body_.put_in_front(before);
    if (const auto element = operands_.take_element()) expansion_.address_of(*element);
    const instruction own = function_.body.back();  // a copy: what expands it may move the body
    if (computes(own.op, calculation::convert)) expansion_.read_special();
    if (computes(own.op, calculation::copy) && (own.has(token::v2) || own.has(token::v4))) expansion_.move_vector();
  }

  static bool writes_first(const instruction& i) {
    const form* const f = find_form(i.op, i.tokens());
    if (f == nullptr) return false;
    const operand_class kind = f->operands[0].kind;
    return kind == operand_class::destination || kind == operand_class::predicate || kind == operand_class::move_destination;
  }

  operand target(bool is_table) {
    const word name = in_.take();
    if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "a label expected");
    body_.await(name, is_table, scopes_.current());
    return operand::named(operand_kind::label, 0);
  }

  lexer& in_;
  module& module_;
  function& function_;
  const module_names& names_;
  declarations& declarations_;
  parameter_list parameters_;
  scopes scopes_;
  operand_parser operands_;
  function_body body_;
  unique_names own_names_;
  call_parser calls_;
  expansion expansion_;
  dynamic_array<instruction> returned_;  // what a return writes first: results that the text keeps in registers
  std::deque<std::string> kept_names_;   // of those, as written
};

}  // namespace tg::ptx::detail
