// The body of a function: declarations, labels, calls, instructions.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tg/ptx/effect.hpp>
#include <tg/ptx/parse_operand.hpp>
#include <tg/ptx/parse_scope.hpp>
#include <tg/ptx/parse_variable.hpp>
#include <tg/ptx/print_text.hpp>

namespace tg::ptx::detail {

class function_parser {
 public:
  function_parser(lexer& in, module& m, function& f, const module_names& names, std::vector<std::uint32_t>& lines)
      : in_(in),
        module_(m),
        function_(f),
        names_(names),
        lines_(lines),
        declarations_(in, m),
        scopes_(f),
        operands_(in, f, scopes_, names) {}

  /// From behind the opening brace to behind the closing one.
  void operator()() {
    enter_parameters();
    for (;;) {
      if (in_.peek().kind == word_kind::end) in_.fail(syntax_error, "'}' expected");
      if (in_.accept("}")) {
        if (scopes_.depth() == 0) break;
        scopes_.close();
      } else if (in_.accept("{")) {
        if (scopes_.depth() >= max_depth)
          in_.fail(too_large, "scopes nested more than " + std::to_string(max_depth) + " deep");
        scopes_.open();
      } else {
        statement();
      }
    }
    for (const instruction& i : returned_) add(i);
    for (const pending& p : pending_) resolve(p);
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
    where_ = {};
    if (line != 0) where_ = {static_cast<std::uint32_t>(file), static_cast<std::uint32_t>(line)};
  }

 private:
  static constexpr std::size_t max_depth = 200;
  static constexpr std::size_t max_list = operand_parser::max_list;

  /// An operand whose name may be defined further down.
  struct pending {
    std::uint32_t instruction = 0;
    std::uint32_t slot = 0;
    bool in_elements = false;
    bool is_table = false;
    std::uint32_t scope = 0;
    word name;
  };

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
    if (name.text == "ret")
      for (const instruction& i : returned_) add(i);
    instruction& added = function_.body.emplace_back();
    lines_.push_back(name.line);
    added.where = where_;
    added.guard = guard;
    added.guard_negated = negated;
    opcode_and_modifiers(added, name);
    if (added.op == opcode::call)
      call_operands();
    else if (!in_.peek().is(";"))
      operands();
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
        const operand r = operand::reg(function_.new_register(register_class(v.type)));
        if (!scopes_.declare(kept_names_.emplace_back(v.name), {operand_kind::reg, r.id}))
          in_.fail(redeclared_name, "parameter '" + v.name + "' is declared twice");
        v.space = token::none;
        v.name = unique(v.name);
        const operand at = operand::address(operand::named(operand_kind::param, i));
        const token type = bits_type(width_bits(v.type));
        if (is_result)
          returned_.push_back({opcode::st, {token::param, type}, {at, r}});
        else
          add({opcode::ld, {token::param, type}, {r, at}});
      } else {
        declare_parameter(v.name, i);
      }
    }
  }

  void add(const instruction& i) {
    function_.body.push_back(i);
    function_.body.back().where = where_;
    lines_.push_back(in_.peek().line);
  }

  void registers() {
    const declarations::typed t = declarations_.type();
    const token type = register_class(t.type);
    if (type == token::none) in_.fail(unknown_word, "no register has this type");
    do {
      const word name = in_.take();
      if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "a register name expected");
      bool is_new = false;
      if (in_.accept("<")) {
        const std::uint64_t count = in_.expect_integer("a number of registers", 0xffffffff);
        in_.expect(">");
        is_new = scopes_.declare_range(name.text, type, count);
      } else {
        const symbol s{operand_kind::reg, function_.new_register(type), static_cast<std::uint8_t>(t.lanes)};
        for (std::uint32_t lane = 1; lane < t.lanes; ++lane) function_.new_register(type);
        is_new = scopes_.declare(name.text, s);
      }
      if (!is_new) in_.fail_at(name, redeclared_name, "register '" + std::string(name.text) + "' is declared twice");
    } while (in_.accept(","));
    in_.expect(";");
  }

  void locals(token space) {
    if (space == token::global || space == token::const_)
      in_.fail(unsupported, "a ." + std::string(name(space)) + " variable in a function", "declare it outside");
    const declarations::typed t = declarations_.type();
    do {
      const word at = in_.peek();
      variable v = declarations_.declarator(t, space);
      const symbol s{operand_kind::local, static_cast<std::uint32_t>(function_.locals.size())};
      if (!scopes_.declare(at.text, s)) in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared twice");
      v.name = unique(v.name);
      function_.locals.push_back(std::move(v));
    } while (in_.accept(","));
    in_.expect(";");
  }

  /// Scopes go when the IR is made, so a name that shadows another gets a number.
  std::string unique(const std::string& name) {
    const auto is_free = [&](const std::string& n) { return !local_names_.contains(n) && !names_.contains(n); };
    std::string stem = name;
    if (stem[0] == '%') stem[0] = '_';  // the names of registers begin so
    std::string out = stem;
    for (std::uint32_t& n = next_suffix_[stem]; !is_free(out);) out = stem + "_" + std::to_string(++n);
    local_names_.insert(out);
    return out;
  }

  void declare_parameter(const std::string& name, std::uint32_t id) {
    if (!scopes_.declare(name, {operand_kind::param, id}))
      in_.fail(redeclared_name, "parameter '" + name + "' is declared twice");
    local_names_.insert(name);
  }

  void label(const word& name) {
    if (in_.accept_dotted("callprototype")) return prototype_table(name);
    if (in_.accept_dotted("branchtargets")) return target_table(name, operand_kind::label);
    if (in_.accept_dotted("calltargets")) return target_table(name, operand_kind::function);
    const std::uint32_t id = function_.label_count++;
    if (!scopes_.define_label(name.text, id))
      in_.fail_at(name, redeclared_name, "label '" + std::string(name.text) + "' is defined twice");
    instruction& added = function_.body.emplace_back();
    lines_.push_back(name.line);
    added.op = opcode::label;
    added.where = where_;
    added.add(operand::named(operand_kind::label, id));
  }

  void target_table(const word& name, operand_kind kind) {
    std::vector<operand> targets;
    std::vector<word> labels;
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
      for (std::uint32_t i = 0; i < labels.size(); ++i)
        pending_.push_back({0, list.id + i, true, false, scopes_.current(), labels[i]});
    if (!scopes_.define_table(name.text, list))
      in_.fail_at(name, redeclared_name, "'" + std::string(name.text) + "' is defined twice");
  }

  void prototype_table(const word& name) {
    prototype p;
    if (in_.peek().is("(")) parameter_list(p.results);
    in_.expect_name("'_'");
    if (in_.peek().is("(")) parameter_list(p.params);
    if (in_.accept_dotted("noreturn")) p.never_returns = true;
    in_.skip_past(";");
    const operand o = operand::named(operand_kind::prototype, static_cast<std::uint32_t>(function_.prototypes.size()));
    function_.prototypes.push_back(std::move(p));
    if (!scopes_.define_table(name.text, o))
      in_.fail_at(name, redeclared_name, "'" + std::string(name.text) + "' is defined twice");
  }

 public:
  /// `(.param .b32 a, .param .align 8 .b8 b[16])`
  void parameter_list(std::vector<variable>& out) {
    in_.expect("(");
    while (!in_.peek().is(")")) {
      const bool is_register = in_.accept_dotted("reg");
      if (!is_register && !in_.accept_dotted("param")) in_.fail(syntax_error, "'.param' expected");
      const declarations::typed t = declarations_.type();
      if (is_register && (width_bits(t.type) < 8 || t.lanes > 1))
        in_.fail(unsupported, "a predicate or vector as a parameter", "pass it as .param");
      out.push_back(declarations_.declarator(t, is_register ? token::reg : token::none));
      if (out.size() > max_list) in_.fail(too_large, "more than " + std::to_string(max_list) + " parameters");
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
  }

 private:
  void opcode_and_modifiers(instruction& i, const word& name) {
    i.op = to_opcode(name.text);
    const bool is_known = i.op != opcode::none && !is_marker(i.op) && i.op != opcode::label;
    if (!is_known || name.is_aside != (i.op == opcode::assume))
      in_.fail_at(name, unknown_word, "'" + std::string(name.text) + "' is no PTX instruction");
    if (is_texture(i.op))
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
    do {
      if (function_.body[index].operand_count == instruction::max_operands) in_.fail(too_large, "more than 8 operands");
      const instruction& i = function_.body[index];
      const bool is_target = i.op == opcode::bra || (i.op == opcode::brx && i.operand_count == 1);
      const operand o = is_target ? target(i.op == opcode::brx) : operands_.one_operand();
      function_.body[index].add(o);
      if (const auto coordinates = operands_.take_coordinates()) {
        if (function_.body[index].operand_count == instruction::max_operands)
          in_.fail(too_large, "more than 8 operands");
        function_.body[index].add(*coordinates);
      }
    } while (in_.accept(","));
    if (const auto element = operands_.take_element()) address_of(*element);
  }

  /// Puts the address of an array's element, by number, in front of the instruction that was read last.
  void address_of(const operand_parser::element& e) {
    const variable& array = e.array.is(operand_kind::variable) ? module_.variables[e.array.id] : function_.locals[e.array.id];
    const std::int64_t bytes = width_bits(array.type) / 8;
    operand at = operand::address(e.array, e.offset * bytes);
    if (e.index.is_reg()) {
      const instruction reader = function_.body.back();
      function_.body.pop_back();
      lines_.pop_back();
      const operand scaled = operand::reg(function_.new_register(token::b64));
      const operand base = operand::reg(function_.new_register(token::b64));
      const operand size = operand::integer(bytes);
      if (width_bits(function_.registers[e.index.id].type) == 64)
        add({opcode::mul, {token::lo, token::s64}, {scaled, e.index, size}});
      else
        add({opcode::mul, {token::wide, token::s32}, {scaled, e.index, size}});
      add({opcode::mov, {token::u64}, {base, e.array}});
      add({opcode::add, {token::s64}, {base, base, scaled}});
      add(reader);
      function_.body.back().where = reader.where;
      at = operand::address(base, e.offset * bytes);
    }
    for (operand& o : function_.body.back().operands())
      if (o == operand::address(e.array)) o = at;
  }

  operand target(bool is_table) {
    const word name = in_.take();
    if (name.kind != word_kind::name) in_.fail_at(name, syntax_error, "a label expected");
    const auto index = static_cast<std::uint32_t>(function_.body.size() - 1);
    pending_.push_back({index, function_.body[index].operand_count, false, is_table, scopes_.current(), name});
    return operand::named(operand_kind::label, 0);
  }

  void resolve(const pending& p) {
    operand& o = p.in_elements ? function_.elements[p.slot] : function_.body[p.instruction][p.slot];
    if (p.is_table) {
      const auto table = scopes_.find_table(p.name.text, p.scope);
      const auto listed = names_.find(p.name.text);
      if (!table && p.slot == 3 && listed != names_.end() && listed->second.is(operand_kind::variable)) {
        o = listed->second;  // the functions in its initial value
        return;
      }
      if (!table) in_.fail_at(p.name, undeclared_name, "'" + std::string(p.name.text) + "' is not declared");
      o = *table;
    } else {
      const auto id = scopes_.find_label(p.name.text, p.scope);
      if (!id) in_.fail_at(p.name, undeclared_name, "label '" + std::string(p.name.text) + "' is not defined");
      o.id = *id;
    }
  }

  /// `(results), callee, (arguments), prototype`, of which all but the callee may be missing.
  void call_operands() {
    const std::size_t index = function_.body.size() - 1;
    const operand empty = function_.new_vector({});
    operand results = empty, arguments = empty;
    if (in_.accept("(")) {
      results = operands_.list(")");
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
        arguments = operands_.list(")");
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
    if (!has_prototype) return;
    pending_.push_back({static_cast<std::uint32_t>(index), 3, false, true, scopes_.current(), table});
    function_.body[index].add(operand::named(operand_kind::prototype, 0));
  }

  lexer& in_;
  module& module_;
  function& function_;
  const module_names& names_;
  std::vector<std::uint32_t>& lines_;
  declarations declarations_;
  scopes scopes_;
  operand_parser operands_;
  location where_;
  std::vector<pending> pending_;
  std::vector<instruction> returned_;    // what a return writes first: results that the text keeps in registers
  std::deque<std::string> kept_names_;   // of those, as written
  std::unordered_set<std::string> local_names_;
  std::unordered_map<std::string, std::uint32_t> next_suffix_;
};

}  // namespace tg::ptx::detail
