// The body of a function: declarations, labels, calls, instructions.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <tg/ptx/effect.hpp>
#include <tg/ptx/forms.hpp>
#include <tg/ptx/parse_operand.hpp>
#include <tg/ptx/parse_scope.hpp>
#include <tg/ptx/parse_variable.hpp>
#include <tg/ptx/print_text.hpp>
#include <tg/ptx/state_space.hpp>

namespace tg::ptx::detail {

class function_parser {
 public:
  function_parser(lexer& in, module& m, declarations& d, function& f, const module_names& names,
                  std::vector<std::uint32_t>& lines)
      : in_(in),
        module_(m),
        function_(f),
        names_(names),
        lines_(lines),
        declarations_(d),
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
        const auto parts = static_cast<std::uint32_t>(v.count == 0 ? 1 : v.count);
        const auto first = static_cast<std::uint32_t>(function_.registers.size());
        for (std::uint32_t part = 0; part < parts; ++part) function_.new_register(register_class(v.type));
        if (!scopes_.declare(kept_names_.emplace_back(v.name), {operand_kind::reg, first, static_cast<std::uint8_t>(parts)}))
          in_.fail(redeclared_name, "parameter '" + v.name + "' is declared twice");
        v.space = token::none;
        v.name = unique(v.name);
        move_parts(operand::named(operand_kind::param, i), first, parts, v.type, is_result, returned_);
        if (!is_result)
          for (const instruction& made : std::exchange(returned_, {})) add(made);
      } else {
        declare_parameter(v.name, i);
      }
    }
  }

  /// Stores registers from `first` to a .param variable, or loads them.
  static void move_parts(const operand& to, std::uint32_t first, std::uint32_t parts, token type, bool stores,
                         std::vector<instruction>& out) {
    type = bits_type(width_bits(type));
    for (std::uint32_t part = 0; part < parts; ++part) {
      const operand r = operand::reg(first + part), at = operand::address(to, part * (width_bits(type) / 8));
      out.push_back(stores ? instruction{opcode::st, {token::param, type}, {at, r}}
                           : instruction{opcode::ld, {token::param, type}, {r, at}});
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
      if (space == token::param) require_parameter(t, v, at);
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
    if (in_.peek().is("(")) parameter_list(p.results, parameters::results);
    in_.expect_name("'_'");
    if (in_.peek().is("(")) parameter_list(p.params, parameters::of_function);
    if (in_.accept_dotted("noreturn")) p.never_returns = true;
    in_.skip_past(";");
    const operand o = operand::named(operand_kind::prototype, static_cast<std::uint32_t>(function_.prototypes.size()));
    function_.prototypes.push_back(std::move(p));
    if (!scopes_.define_table(name.text, o))
      in_.fail_at(name, redeclared_name, "'" + std::string(name.text) + "' is defined twice");
  }

 public:
  enum class parameters { of_kernel, of_function, results };

  /// `(.param .b32 a, .param .align 8 .b8 b[16])`
  void parameter_list(std::vector<variable>& out, parameters kind) {
    in_.expect("(");
    while (!in_.peek().is(")")) {
      const bool is_register = kind != parameters::of_kernel && in_.accept_dotted("reg");
      if (!is_register && !in_.accept_dotted("param")) in_.fail(syntax_error, "'.param' expected");
      const declarations::typed t = declarations_.type();
      if (is_register && width_bits(t.type) < 8)
        in_.fail(unsupported, "a predicate as a parameter", "pass it as .param");
      const word at = in_.peek();
      variable v = declarations_.declarator(t, is_register ? token::reg : token::none);
      if (!is_register) require_parameter(t, v, at);
      if (declarations_.dimension_count() > (is_register ? 0u : 1u) + (t.lanes > 1 ? 1u : 0u))
        in_.fail_at(at, wrong_declaration, "parameter '" + v.name + "' is an array " + (is_register ? "of registers" : "of arrays"),
                    is_register ? "pass it as .param" : "write its extents as one product");
      if (v.count < 0 && kind != parameters::of_function)
        in_.fail_at(at, wrong_declaration, "parameter '" + v.name + "' has no size", "give its extent");
      out.push_back(std::move(v));
      if (out.size() > max_list) in_.fail(too_large, "more than " + std::to_string(max_list) + " parameters");
      if (!in_.accept(",")) break;
    }
    in_.expect(")");
  }

 private:
  void require_parameter(const declarations::typed& t, const variable& v, const word& at) {
    const bool is_array = declarations_.dimension_count() > (t.lanes > 1 ? 1u : 0u);
    if (!is_array && (t.lanes > 1 || t.type == token::f16x2))
      in_.fail_at(at, wrong_declaration, "vector '" + v.name + "' in .param space", "declare an array with an alignment");
  }

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
    std::vector<instruction> before;
    do {
      if (function_.body[index].operand_count == instruction::max_operands) in_.fail(too_large, "more than 8 operands");
      const instruction& i = function_.body[index];
      const bool is_target = i.op == opcode::bra || (i.op == opcode::brx && i.operand_count == 1);
      const word at = in_.peek();
      const operand o = is_target ? target(i.op == opcode::brx) : operands_.one_operand();
      function_.body[index].add(o);
      if (std::vector<instruction> sum = operands_.take_before(); !sum.empty()) {
        if (i.operand_count == 1 && writes_first(i)) in_.fail_at(at, syntax_error, "',' expected behind a result");
        before.insert(before.end(), sum.begin(), sum.end());
      }
      if (const auto coordinates = operands_.take_coordinates()) {
        if (function_.body[index].operand_count == instruction::max_operands)
          in_.fail(too_large, "more than 8 operands");
        function_.body[index].add(*coordinates);
      }
    } while (in_.accept(","));
    put_in_front(before);
    if (const auto element = operands_.take_element()) address_of(*element);
    const instruction& i = function_.body.back();
    if (i.op == opcode::cvt) read_special();
    if (i.op == opcode::mov && (i.has(token::v2) || i.has(token::v4))) move_vector();
  }

  static bool writes_first(const instruction& i) {
    const form* const f = find_form(i.op, i.tokens());
    if (f == nullptr) return false;
    const operand_class kind = f->operands[0].kind;
    return kind == operand_class::destination || kind == operand_class::predicate || kind == operand_class::move_destination;
  }

  /// Puts `before` in front of the instruction that was read last.
  void put_in_front(const std::vector<instruction>& before) {
    if (before.empty()) return;
    const instruction reader = function_.body.back();
    const std::uint32_t line = lines_.back();
    function_.body.pop_back();
    lines_.pop_back();
    const auto index = static_cast<std::uint32_t>(function_.body.size());
    for (const instruction& i : before) add(i);
    for (pending& p : pending_)
      if (!p.in_elements && p.instruction == index) p.instruction += static_cast<std::uint32_t>(before.size());
    function_.body.push_back(reader);
    lines_.push_back(line);
  }

  /// The special register that a cvt between integers reads is moved into a register first.
  void read_special() {
    instruction& i = function_.body.back();
    if (i.operand_count != 2 || !i[1].is(operand_kind::special) || i.has(token::pack)) return;
    const token to = i.token_count < 2 ? token::none : i.token_array[i.token_count - 2u];
    const auto s = static_cast<special>(i[1].id);
    if (!is_whole_number(to) || !is_whole_number(i.type()) || s == special::is_explicit_cluster) return;
    const token type = is_wide(s) ? token::b64 : token::b32;
    const operand read = operand::reg(function_.new_register(type)), from = i[1];
    i[1] = read;
    put_in_front({{opcode::mov, {type}, {read, from}}});
  }

  static bool is_whole_number(token t) { return is_integer(t) || t == token::u8 || t == token::s8; }

  /// `mov.v2.u32 {a, b}, {c, d}` becomes a mov of each part. What one writes and a later one reads is kept first.
  void move_vector() {
    const instruction whole = function_.body.back();
    const std::uint32_t line = lines_.back();
    const token type = whole.type();
    const std::size_t count = whole.has(token::v2) ? 2 : 4;
    const auto is_right = [&](const operand& o) {
      return o.is(operand_kind::vector) && function_.parts(o).size() == count;
    };
    const bool has_type = is_integer(type) || is_float(type) || type == token::b16 || type == token::b32 || type == token::b64;
    if (whole.token_count != 2 || whole.operand_count != 2 || !is_right(whole[0]) || !is_right(whole[1]) || !has_type ||
        width_bits(type) * static_cast<int>(count) > 128)
      in_.fail(wrong_operand, "mov." + std::string(name(whole.token_array[0])) + " moves a vector of " +
                                  std::to_string(count) + " parts and at most 128 bits to another");
    std::vector<operand> to(function_.parts(whole[0]).begin(), function_.parts(whole[0]).end());
    std::vector<operand> from(function_.parts(whole[1]).begin(), function_.parts(whole[1]).end());
    function_.body.pop_back();
    lines_.pop_back();
    for (std::size_t k = 1; k < count; ++k) {
      if (!from[k].is_reg() || std::find(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(k), from[k]) == to.begin() + static_cast<std::ptrdiff_t>(k)) continue;
      const operand kept = operand::reg(function_.new_register(function_.registers[from[k].id].type));
      add({opcode::mov, {type}, {kept, from[k]}});
      lines_.back() = line;
      from[k] = kept;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (to[k].is(operand_kind::sink)) continue;
      instruction part{opcode::mov, {type}, {to[k], from[k]}};
      part.guard = whole.guard;
      part.guard_negated = whole.guard_negated;
      add(part);
      lines_.back() = line;
    }
  }

  /// Puts the address of an array's element, by number, in front of the instruction that was read last: ld and st access
  /// it, mov and cvta take it for a value.
  void address_of(const operand_parser::element& e) {
    const variable& array = e.array.is(operand_kind::variable) ? module_.variables[e.array.id] : function_.locals[e.array.id];
    const instruction& reader = function_.body.back();
    const bool is_value = reader.op == opcode::mov || (reader.op == opcode::cvta && !reader.has(token::to));
    const bool is_first = reader.operand_count > 0 && reader[0] == operand::address(e.array);
    if (is_value ? is_first : reader.op != opcode::ld && reader.op != opcode::st)
      in_.fail(wrong_operand, "an element of an array as an operand of '" + std::string(name(reader.op)) + "'",
               "move its address into a register");
    const token named = named_space(reader);
    if (!is_value && e.index.is_reg() && named != array.space && (named != token::none || array.space != token::global))
      in_.fail(wrong_address, "an element of an array in ." + std::string(name(array.space)) + " space, in no or another space");
    const std::int64_t offset = e.offset * (width_bits(array.type) / 8);
    operand at = is_value ? e.array : operand::address(e.array, offset);
    if (is_value) at.value = offset;
    if (e.index.is_reg()) at = indexed(e.array, e.index, width_bits(array.type) / 8, offset, is_value);
    for (operand& o : function_.body.back().operands())
      if (o == operand::address(e.array)) o = at;
  }

  /// The sum of an array's address, a register times `bytes` and `offset`, as an address or a value.
  operand indexed(const operand& array, operand index, std::int64_t bytes, std::int64_t offset, bool is_value) {
    const auto new_word = [&] { return operand::reg(function_.new_register(token::b64)); };
    const operand scaled = new_word(), base = new_word(), size = operand::integer(bytes);
    std::vector<instruction> before;
    const int width = width_bits(function_.registers[index.id].type);
    if (width == 16) {
      const operand extended = operand::reg(function_.new_register(token::b32));
      before.push_back({opcode::cvt, {token::s32, token::s16}, {extended, index}});
      index = extended;
    }
    if (width == 64)
      before.push_back({opcode::mul, {token::lo, token::s64}, {scaled, index, size}});
    else
      before.push_back({opcode::mul, {token::wide, token::s32}, {scaled, index, size}});
    before.push_back({opcode::mov, {token::u64}, {base, array}});
    before.push_back({opcode::add, {token::s64}, {base, base, scaled}});
    operand out = operand::address(base, offset);
    if (is_value) {
      out = base;
      if (offset != 0) before.push_back({opcode::add, {token::s64}, {base, base, operand::integer(offset)}});
      if (width_bits(function_.body.back().type()) == 32) {
        out = operand::reg(function_.new_register(token::b32));
        before.push_back({opcode::cvt, {token::u32, token::u64}, {out, base}});
      }
    }
    put_in_front(before);
    return out;
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
    std::vector<instruction> before, after;
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
      pending_.push_back({static_cast<std::uint32_t>(index), 3, false, true, scopes_.current(), table});
      function_.body[index].add(operand::named(operand_kind::prototype, 0));
    }
    const instruction& call = function_.body.back();
    for (instruction& i : after) {
      i.guard = call.guard;
      i.guard_negated = call.guard_negated;
    }
    put_in_front(before);
    for (const instruction& i : after) add(i);
  }

  /// `a, b)` of a call. A vector register goes through a .param variable: `moves` says how.
  operand call_list(bool are_arguments, std::vector<instruction>& moves) {
    std::vector<operand> parts;
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
                                    .name = unique("vector")});
        move_parts(through, own->id, own->parts, type, are_arguments, moves);
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
  module& module_;
  function& function_;
  const module_names& names_;
  std::vector<std::uint32_t>& lines_;
  declarations& declarations_;
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
