// Several PTX modules made one: what one declares external another defines.
#pragma once

#include <set>
#include <span>
#include <string>

#include <tg/base/error.hpp>
#include <tg/ptx/ir/module.hpp>

namespace tg::emulator::entry {

/// Adds modules to one. Errors: TG470 for a name that two modules define.
class module_merger {
 public:
  void add(ptx::module from) {
    if (into_.functions.empty() && into_.variables.empty()) {
      into_ = std::move(from);
    } else {
      into_.version = std::max(into_.version, from.version);
      if (from.sm > into_.sm) into_.sm = from.sm, into_.target_suffix = from.target_suffix;
      merge(from);
    }
    ++added_;
  }

  const ptx::module& merged() const { return into_; }

 private:
  static bool is_global(const ptx::variable& v) { return v.visible || v.external || v.weak; }
  static bool is_global(const ptx::function& f) { return f.is_visible || f.is_external || f.is_weak; }
  static bool is_declaration(const ptx::variable& v) { return v.external; }
  static bool is_declaration(const ptx::function& f) { return f.is_external; }
  static bool is_weak(const ptx::variable& v) { return v.weak; }
  static bool is_weak(const ptx::function& f) { return f.is_weak; }

  /// Where each of `from` is found in `to`, after what is new was put there. Bodies still have the numbers of their
  /// module; `moved` lists what was put.
  template <class T>
  dynamic_array<std::uint32_t> place(dynamic_array<T>& from, dynamic_array<T>& to, std::set<std::uint32_t>& moved) {
    dynamic_array<std::uint32_t> where(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) {
      T& one = from[k];
      std::size_t at = 0;
      while (at < to.size() && to[at].name != one.name) ++at;
      if (at < to.size() && !(is_global(one) && is_global(to[at]))) {  // two things of one name: one is private
        (is_global(one) ? to[at] : one).name += "_" + std::to_string(added_);
        at = to.size();
      }
      const bool is_new = at == to.size();
      if (!is_new && !is_declaration(one) && !is_declaration(to[at]) && !is_weak(one) && !is_weak(to[at]))
        throw error(code{470}, "'" + one.name + "' is defined in two of the linked modules",
                    "make it visible in one of them only");
      const bool replaces = !is_new && !is_declaration(one) && (is_declaration(to[at]) || is_weak(to[at]));
      where[k] = static_cast<std::uint32_t>(at);
      if (is_new) to.push_back(std::move(one));
      else if (replaces) to[at] = std::move(one);
      if (is_new || replaces) moved.insert(where[k]);
    }
    return where;
  }

  void merge(ptx::module& from) {
    dynamic_array<std::uint32_t> files;
    for (const std::string& path : from.files) files.push_back(into_.to_file(path));
    std::set<std::uint32_t> moved_variables, moved_functions;
    const auto variables = place(from.variables, into_.variables, moved_variables);
    const auto functions = place(from.functions, into_.functions, moved_functions);
    const auto renumber = [&](ptx::operand& o) {
      const ptx::operand_kind kind = o.kind == ptx::operand_kind::address ? o.base : o.kind;
      if (kind == ptx::operand_kind::variable) o.id = variables[o.id];
      if (kind == ptx::operand_kind::function) o.id = functions[o.id];
    };
    for (const std::uint32_t v : moved_variables)
      for (ptx::variable::relocation& r : into_.variables[v].relocations) renumber(r.target);
    for (const std::uint32_t f : moved_functions) {
      for (ptx::instruction& i : into_.functions[f].body) {
        for (ptx::operand& o : i.operands()) renumber(o);
        i.where.file = files[i.where.file];
      }
      for (ptx::operand& o : into_.functions[f].elements) renumber(o);
    }
  }

  ptx::module into_;
  std::size_t added_ = 0;
};

}  // namespace tg::emulator::entry
