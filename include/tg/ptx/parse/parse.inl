// The parser of modules: directives in front of functions, variables and functions.
#pragma once

#include <tg/ptx/parse/parse.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/parse/parse_function.hpp>
#include <tg/ptx/parse/parse_header.hpp>
#include <tg/ptx/parse/parse_parameter.hpp>
#include <tg/ptx/parse/parse_tile.hpp>
#include <tg/ptx/parse/parse_view_map.hpp>

namespace tg::ptx {

namespace detail {

class module_parser {
 public:
  explicit module_parser(std::string_view text) : in_(text), declarations_(in_, module_) {}

  module operator()(line_map* lines) {
    header_parser(in_, module_)();
    while (in_.peek().kind != word_kind::end) top_level();
    declarations_.resolve(names_);
    declarations_.name_nested(names_);
    resolve_aliases();
    number_files();
    order();
    if (lines != nullptr) *lines = std::move(lines_);
    make_canonical(module_);
    return std::move(module_);
  }

 private:
  struct linkage { bool is_external = false, is_visible = false, is_weak = false; };

  void top_level() {
    const word w = in_.peek();
    if (w.is("@")) return in_.skip_line();  // @@DWARF
    if (in_.accept(";")) return;
    if (w.kind != word_kind::dotted) in_.fail(syntax_error, "a directive expected");
    linkage link;
    if (in_.accept_dotted("extern")) link.is_external = true;
    if (in_.accept_dotted("visible")) link.is_visible = true;
    else if (in_.accept_dotted("weak") || in_.accept_dotted("common")) link.is_weak = true;
    const word d = in_.take();
    if (d.kind != word_kind::dotted) in_.fail_at(d, syntax_error, "a directive expected");
    if (d.text == "func" || d.text == "entry") return function_at(link, d.text == "entry");
    const token space = to_token(d.text);
    if (space == token::const_ && module_.version <= isa_version{2, 1} && in_.accept("[")) {
      in_.expect_integer("a bank", 10);  // banks are one address space
      in_.expect("]");
    }
    if (space == token::global || space == token::const_ || space == token::shared) return variables(link, space);
    if (d.text == "alias") return alias();
    if (d.text == "file") return file();
    if (d.text == "section") return section();
    if (d.text == "pragma") return pragma();
    if (d.text == "shared_tile" && d.is_aside) return module_.tiles.push_back(shared_tile_at(in_));
    if (d.text == "view_map" && d.is_aside) return module_.maps.push_back(view_map_at(in_));
    if (d.text == "tex")
      in_.fail_at(d, texture_refused, "textures and surfaces are not supported", "read through global memory instead");
    in_.fail_at(d, unsupported, "directive '." + std::string(d.text) + "' is not supported");
  }

  void variables(const linkage& link, token space) {
    const declarations::typed t = declarations_.type();
    do {
      const word at = in_.peek();
      variable v = declarations_.declarator(t, space);
      v.external = link.is_external;
      v.visible = link.is_visible;
      v.weak = link.is_weak;
      std::uint32_t id = static_cast<std::uint32_t>(module_.variables.size());
      const auto [known, is_new] = names_.try_emplace(at.text, operand::named(operand_kind::variable, id));
      if (!is_new) {
        if (known->second.kind != operand_kind::variable || !(v.external || module_.variables[known->second.id].external))
          in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared twice");
        id = known->second.id;
        const variable& before = module_.variables[id];
        if (before.type != v.type || before.space != v.space)
          in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared with another type or space");
        if (before.external && !v.external && !v.visible && !v.weak)
          in_.fail_at(at, redeclared_name, "'" + v.name + "' is declared .extern, and defined for this text alone",
                      "define it .visible");
        if (!v.external) module_.variables[id] = v;
      } else {
        module_.variables.push_back(v);
      }
      declarations_.maybe_initial(id);
      declarations_.require_size(module_.variables[id], at);
    } while (in_.accept(","));
    in_.expect(";");
  }

  void function_at(const linkage& link, bool is_entry) {
    function f;
    f.is_entry = is_entry;
    f.is_external = link.is_external;
    f.is_visible = link.is_visible || link.is_external;
    f.is_weak = link.is_weak;
    dynamic_array<std::uint32_t> lines;
    function_parser head(in_, module_, declarations_, f, names_, lines);
    parameter_list list(in_, declarations_);
    if (in_.accept_dotted("attribute")) skip_parentheses();
    if (!is_entry && in_.peek().is("(")) list(f.results, parameters::results);
    const word name = in_.peek();
    f.name = in_.expect_name("a function name");
    if (in_.peek().is("(")) list(f.params, is_entry ? parameters::of_kernel : parameters::of_function);
    bool ends = false;  // a declaration of a device function needs no semicolon
    while (in_.peek().kind == word_kind::dotted && !ends) {
      ends = !is_entry && begins_directive(in_.peek());
      if (!ends) bound(f, head);
    }
    if (f.bounds.max_threads[0] != 0 && f.bounds.required_threads[0] != 0)
      in_.fail_at(name, wrong_declaration, "'" + f.name + "' has .maxntid and .reqntid", "leave one of them");
    const auto [known, is_new] = names_.try_emplace(
        name.text, operand::named(operand_kind::function, static_cast<std::uint32_t>(module_.functions.size())));
    if (!is_new && known->second.kind != operand_kind::function)
      in_.fail_at(name, redeclared_name, "'" + f.name + "' is declared twice");
    const std::uint32_t id = known->second.id;
    if (is_new) {
      module_.functions.emplace_back();
      lines_.emplace_back();
      defined_at_.push_back(0);
    }
    ends = ends || in_.peek().kind == word_kind::end;
    if ((ends || in_.peek().is(";")) && (f.bounds != launch_bounds{} || !f.pragmas.empty()))
      in_.fail_at(name, syntax_error, "function '" + f.name + "' has launch bounds or pragmas and no body");
    if (ends || in_.accept(";")) {
      if (!is_new) return;
      if (f.is_visible) visible_.insert(f.name);
      f.is_external = f.is_visible = true;  // until its definition is met
      for (auto* list : {&f.params, &f.results})
        for (variable& v : *list) to_memory(v);
      module_.functions[id] = std::move(f);
      return;
    }
    if (defined_at_[id] != 0) in_.fail_at(name, redeclared_name, "function '" + f.name + "' is defined twice");
    in_.expect("{");
    function_parser{in_, module_, declarations_, f, names_, lines}();
    f.is_external = false;
    defined_at_[id] = ++defined_count_;
    module_.functions[id] = std::move(f);
    lines_[id] = std::move(lines);
  }

  /// Whether a directive behind the head of a function is of the module.
  static bool begins_directive(const word& w) {
    for (const char* const text :
         {"func", "entry", "visible", "extern", "weak", "common", "global", "const", "shared", "file", "section", "alias"})
      if (w.is_dotted(text)) return true;
    return false;
  }

  void bound(function& f, function_parser& body) {
    const word d = in_.take();
    launch_bounds& b = f.bounds;
    if (d.text == "noreturn" && !f.is_entry && f.results.empty()) {
      f.never_returns = true;
      return;
    }
    if (!f.is_entry && d.text != "pragma" && !d.text.starts_with("abi_preserve"))
      in_.fail_at(d, wrong_declaration, "'." + std::string(d.text) + "' of a function that is no kernel");
    if (d.text == "maxntid") return extents(b.max_threads);
    if (d.text == "reqntid") return extents(b.required_threads);
    if (d.text == "reqnctapercluster") return extents(b.cluster);
    if (d.text == "minnctapersm") b.min_blocks_per_sm = number();
    else if (d.text == "maxnctapersm") number();  // deprecated, of no effect
    else if (d.text == "maxnreg") b.max_registers = number();
    else if (d.text == "maxclusterrank") b.max_cluster_rank = number();
    else if (d.text == "explicitcluster") b.explicit_cluster = true;
    else if (d.text == "pragma") body.pragma(no_index);
    else if (d.text == "abi_preserve" || d.text == "abi_preserve_control") number();  // how many registers ptxas keeps
    else in_.fail_at(d, unsupported, "directive '." + std::string(d.text) + "' is not supported");
  }

  std::uint32_t number() { return static_cast<std::uint32_t>(in_.expect_integer("a number", 0xffffffff)); }

  void extents(fixed_array<std::uint32_t, 3>& out) {
    out = {1, 1, 1};
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = number();
      if (out[i] == 0) in_.fail(bad_number, "an extent is at least 1");
      if (!in_.accept(",")) break;
    }
  }

  /// `.file 1 "name", time, size`
  void file() {
    const std::uint64_t number = in_.expect_integer("a file number", 0xffffffff);
    files_[static_cast<std::uint32_t>(number)] = printable(in_.expect_string("a file name"));
    while (in_.accept(",")) in_.expect_integer("a number", ~std::uint64_t{0});
  }

  void number_files() {
    std::unordered_map<std::uint32_t, std::uint32_t> index;
    for (const auto& [number, path] : files_)
      if (number != 0) index[number] = module_.to_file(path);
    for (function& f : module_.functions)
      for (instruction& i : f.body) {
        const auto at = index.find(i.where.file);
        i.where = at == index.end() ? location{} : location{at->second, i.where.line};
      }
  }

  /// Functions stand in the order of their definitions, behind those that are only declared.
  void order() {
    dynamic_array<std::uint32_t> place(module_.functions.size());
    const auto declared = static_cast<std::uint32_t>(place.size() - defined_count_);
    line_map lines(place.size());
    for (std::uint32_t i = 0, next = 0; i < place.size(); ++i) {
      place[i] = defined_at_[i] == 0 ? next++ : declared + defined_at_[i] - 1;
      lines[place[i]] = std::move(lines_[i]);
    }
    lines_ = std::move(lines);
    permute_functions(module_, place);
  }

  /// The declaration of a parameter in a register.
  static void to_memory(variable& v) {
    v.space = token::none;
    if (v.name[0] == '%') v.name[0] = '_';
  }

  /// `.alias name, function;`
  void alias() {
    fixed_array<word, 2> names;
    names[0] = in_.take();
    in_.expect(",");
    names[1] = in_.take();
    in_.expect(";");
    aliases_.push_back(names);
  }

  void resolve_aliases() {
    for (const auto& names : aliases_) {
      const word &own = names[0], &meant = names[1];
      fixed_array<std::uint32_t, 2> ids{};
      for (std::size_t k = 0; k < 2; ++k) {
        const word& name = names[k];
        const auto at = names_.find(name.text);
        if (at == names_.end() || !at->second.is(operand_kind::function))
          in_.fail_at(name, undeclared_name, "function '" + std::string(name.text) + "' is not declared");
        ids[k] = at->second.id;
      }
      function& f = module_.functions[ids[0]];
      if (defined_at_[ids[0]] != 0) in_.fail_at(own, redeclared_name, "'" + f.name + "' has a body and is an alias");
      if (defined_at_[ids[1]] == 0) in_.fail_at(meant, undeclared_name, "'" + std::string(meant.text) + "' has no body");
      f.alias = ids[1];
      f.is_external = false;
      f.is_visible = visible_.contains(f.name);
    }
  }

  void pragma() {
    do module_.pragmas.push_back(printable(in_.expect_string("a string")));
    while (in_.accept(","));
    in_.expect(";");
  }

  void section() {
    in_.skip_past("{");
    in_.skip_braces();
  }

  void skip_parentheses() {
    in_.expect("(");
    in_.skip_past(")");
  }

  lexer in_;
  module module_;
  declarations declarations_;
  module_names names_;
  std::unordered_map<std::uint32_t, std::string> files_;
  line_map lines_;
  dynamic_array<std::uint32_t> defined_at_;
  std::uint32_t defined_count_ = 0;
  dynamic_array<fixed_array<word, 2>> aliases_;
  std::unordered_set<std::string> visible_;  // functions that are declared so
};

}  // namespace detail

TG_LIBRARY_FUNCTION module parse(std::string_view text) { return detail::module_parser{text}(nullptr); }

TG_LIBRARY_FUNCTION module parse(std::string_view text, line_map& lines) { return detail::module_parser{text}(&lines); }

}  // namespace tg::ptx
