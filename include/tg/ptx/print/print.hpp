// Module → PTX text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/print/print_instruction.hpp>
#include <tg/ptx/print/print_text.hpp>
#include <tg/ptx/print/print_variable.hpp>

namespace tg::ptx {

namespace detail {

class printer {
 public:
  explicit printer(const module& m, line_map* lines = nullptr) : module_(m), lines_(lines) {}

  std::string operator()() {
    std::size_t instructions = 0;
    for (const function& f : module_.functions) instructions += f.body.size() + 16;
    out_.reserve(256 + 40 * instructions);
    if (lines_ != nullptr) lines_->assign(module_.functions.size(), {});
    header();
    for (const bool is_external : {true, false})
      for (const function& f : module_.functions)
        if (f.is_external == is_external && !(f.is_entry && !is_external)) declaration(f);
    for (const shared_tile& t : module_.tiles) tile(t);
    for (const view_map& m : module_.maps) out_.put_line(aside, ' ', to_string(m));
    for (const variable& v : module_.variables) variables_.put_module_variable(v);
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (const function& f = module_.functions[i]; !f.is_external && f.alias == no_index) definition(f, i);
    for (const function& f : module_.functions)
      if (f.alias != no_index) out_.put_line(".alias ", f.name, ", ", module_.functions[f.alias].name, ';');
    return out_.take();
  }

 private:
  void header() {
    out_.put_line(".version ", module_.version.major, '.', module_.version.minor);
    out_.put_line(".target sm_", module_.sm, module_.target_suffix);
    out_.put_line(".address_size 64");
    out_.end_line();
    for (std::size_t i = 1; i < module_.files.size(); ++i) out_.put_line(".file ", i, " \"", printable(module_.files[i]), '"');
    for (const std::string& text : module_.pragmas) out_.put_line(".pragma \"", printable(text), "\";");
  }

  void tile(const shared_tile& t) {
    shared_tile shown = t;
    shown.file = printable(t.file);
    out_.put_line(aside, ' ', to_string(shown));
  }

  /// The hints from number `next` on that stand in front of an instruction, or of the body; returns the one behind.
  std::size_t pragmas(const function& f, std::uint32_t before, std::size_t next) {
    for (; next < f.pragmas.size() && f.pragmas[next].before == before; ++next)
      out_.put_line("\t.pragma \"", printable(f.pragmas[next].text), "\";");
    return next;
  }

  void signature(const function& f) {
    if (f.is_external) out_.put(".extern ");
    if (f.is_weak) out_.put(".weak ");
    if (f.is_visible && !f.is_external) out_.put(".visible ");
    out_.put(f.is_entry ? ".entry " : ".func ");
    if (!f.results.empty()) {
      variables_.put_parameters(f.results, false);
      out_.put(' ');
    }
    out_.put_name(f.name);
    variables_.put_parameters(f.params, true);
    if (f.never_returns) out_.put(" .noreturn");
  }

  void declaration(const function& f) {
    signature(f);
    out_.put_line(';');
  }

  void bound(std::string_view directive, const fixed_array<std::uint32_t, 3>& n) {
    const auto extent = [](std::uint32_t e) { return e == 0 ? 1 : e; };
    if (n[0] != 0) out_.put_line(directive, ' ', extent(n[0]), ", ", extent(n[1]), ", ", extent(n[2]));
  }
  void bound(std::string_view directive, std::uint32_t n) {
    if (n != 0) out_.put_line(directive, ' ', n);
  }

  void definition(const function& f, std::size_t index) {
    out_.end_line();
    signature(f);
    out_.end_line();
    bound(".maxntid", f.bounds.max_threads);
    bound(".reqntid", f.bounds.required_threads);
    bound(".minnctapersm", f.bounds.min_blocks_per_sm);
    bound(".maxnreg", f.bounds.max_registers);
    bound(".reqnctapercluster", f.bounds.cluster);
    bound(".maxclusterrank", f.bounds.max_cluster_rank);
    if (f.bounds.explicit_cluster) out_.put_line(".explicitcluster");
    const std::size_t hints = pragmas(f, no_index, 0);
    out_.put_line('{');
    const auto counts = instructions_.enter(f);
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (const token own = register_classes[c]; counts[c] != 0)
        out_.put_line("\t.reg .", name(own), ' ', register_prefix(own), '<', counts[c], ">;");
    for (const variable& v : f.locals) variables_.put_local(v);
    for (std::size_t i = 0; i < f.prototypes.size(); ++i) prototype_label(f.prototypes[i], i);
    out_.end_line();
    body(f, index, hints);
    out_.put_line('}');
  }

  void prototype_label(const prototype& p, std::size_t index) {
    out_.put("\t$P");
    out_.put_number(index);
    out_.put(": .callprototype ");
    if (!p.results.empty()) variables_.put_parameters(p.results, false);
    out_.put(" _ ");
    variables_.put_parameters(p.params, false);
    out_.put_line(p.never_returns ? " .noreturn;" : ";");
  }

  void body(const function& f, std::size_t index, std::size_t hint) {
    dynamic_array<std::uint32_t>* lines = lines_ == nullptr ? nullptr : &(*lines_)[index];
    if (lines != nullptr) lines->reserve(f.body.size());
    location last;
    for (const instruction& i : f.body) {
      if (i.where.file != 0 && i.where.line != 0 && i.where != last) {
        last = i.where;
        out_.put_line("\t.loc ", last.file, ' ', last.line, " 0");
      }
      hint = pragmas(f, static_cast<std::uint32_t>(&i - f.body.data()), hint);
      instructions_.put_targets(i);
      if (lines != nullptr) lines->push_back(out_.line());
      instructions_.put_instruction(i);
      out_.end_line();
    }
    pragmas(f, static_cast<std::uint32_t>(f.body.size()), hint);
  }

  const module& module_;
  line_map* lines_;
  text_out out_;
  variable_printer variables_{module_, out_};
  instruction_printer instructions_{module_, out_};
};

}  // namespace detail

/// The PTX text of `m`.
/// Requires: flat functions (see `flatten`), ids in range, which `verify` checks.
/// Errors: TG319 for a name PTX cannot spell, TG320 for a marker of structured control flow.
/// Cost: about 25 ns per instruction.
inline std::string print(const module& m) { return detail::printer(m)(); }

/// The PTX text of `m`; `lines` then says on which line of it each instruction stands.
inline std::string print(const module& m, line_map& lines) { return detail::printer(m, &lines)(); }

/// `add.s32 %r2, %r0, %r1;`, for messages; markers of structured control flow too.
inline std::string to_string(const module& m, const function& f, const instruction& i) {
  detail::text_out out;
  detail::instruction_printer one(m, out);
  one.enter(f);
  one.put_any(i);
  std::string text = out.take();
  return text.substr(text[0] == '\t' ? 1 : 0);
}

}  // namespace tg::ptx
