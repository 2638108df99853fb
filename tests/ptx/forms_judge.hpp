// Three judges of rows of the form table: our own verifier, printer and parser; ptxas; the list of forms that ptxas was
// asked about one by one.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tuple>

#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/verify/verify.hpp>

#include "ptxas.hpp"
#include "sample.hpp"

namespace tg::ptx::test {

/// The rows as the table holds them.
inline tg::dynamic_array<const form*> forms_of(std::span<const form_row> rows) {
  tg::dynamic_array<const form*> out;
  for (const form_row& row : rows) {
    for (const form& f : form_table::get().of(row.op))
      if (std::string_view(f.row.tokens) == row.tokens && std::string_view(f.row.operands) == row.operands) out.push_back(&f);
  }
  return out;
}

/// Every row is well formed, and its instructions verify and survive printing and parsing.
inline void check_round_trip(std::span<const form_row> rows) {
  const auto forms = forms_of(rows);
  REQUIRE(forms.size() == rows.size());
  for (const form* f : forms) {
    CAPTURE(f->spelling());
    for (std::size_t s = 0; s < f->slot_count; ++s) {
      const auto choices = form_table::get().choices(f->slots[s]);
      CHECK_FALSE(choices.empty());
      CHECK(std::count(choices.begin(), choices.end(), token::none) == 0);
    }
    sampler s;
    CHECK(s.add(*f) > 0);
    make_canonical(s.mod());
    CHECK_NOTHROW(verify(s.mod()));
    const std::string text = print(s.mod());
    CHECK(parse(text) == s.mod());
    CHECK(print(parse(text)) == text);
  }
}

/// ptxas takes the instructions of every row with the version and target that they are said to need.
inline void check_with_ptxas(std::span<const form_row> rows) {
  if (!has_ptxas()) {
    MESSAGE("ptxas is not there: skipped");
    return;
  }
  std::map<std::tuple<int, int, char>, tg::dynamic_array<const form*>> groups;
  for (const form* f : forms_of(rows)) {
    if (f->op() == opcode::label) continue;
    groups[{f->row.sm, f->row.isa, f->row.target_suffix}].push_back(f);
  }
  for (const auto& [need, forms] : groups) {
    sampler s;
    for (const form* f : forms) s.add(*f);
    // Optional modifiers may need more than their row.
    derive_requirements(s.mod());
    make_canonical(s.mod());
    const verdict v = ask_ptxas(print(s.mod()), "sm_" + std::to_string(std::max(75, s.mod().sm)) + s.mod().target_suffix);
    CHECK_MESSAGE(v.accepted, v.log);
  }
}

/// One row of ptx_forms_valid.csv.
struct asked_form {
  std::string text;  // `add.sat.s32`, or with operands
  bool at_sm80 = false;
  bool at_sm90 = false;
};

inline tg::dynamic_array<asked_form> asked_forms() {
  std::ifstream in("tests/ptx/data/ptx_forms_valid.csv");
  tg::dynamic_array<asked_form> out;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t second = line.rfind(','), first = line.rfind(',', second - 1);
    out.push_back({line.substr(0, first), line[first + 1] == '1', line[second + 1] == '1'});
  }
  return out;
}

/// Why the table rightly differs from the list; empty where it does not.
inline std::string_view explanation(std::string_view form) {
  if (form.starts_with("st.param")) return "asked in a kernel, which cannot write its own parameters; calls do";
  if (form.starts_with("setp.lt.") && (form.ends_with(".f16") || form.ends_with(".bf16")))
    return "asked with two results, p|q, which f16 has not; with one it is legal";
  return {};
}

/// The instruction `text` inside a kernel that has the names the list uses, and a label, because where there are labels
/// registers may be read that nothing wrote.
inline module asked_module(std::string text) {
  const auto replace = [&](std::string_view from, std::string_view to) {
    if (const auto at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
  };
  replace(" (3 inputs)", text.find(".f64") != text.npos   ? " %d0, %d1, %d2, %d3"
                         : text.find("16x2") != text.npos ? " %r0, %r1, %r2, %r3"
                         : text.find("f16") != text.npos  ? " %h0, %h1, %h2, %h3"
                                                          : " %f0, %f1, %f2, %f3");
  return parse(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
               ".reg .pred %p<8>; .reg .b16 %h<16>; .reg .b32 %r<16>; .reg .b64 %l<16>; .reg .f32 %f<16>; .reg .f64 %d<16>;\n"
               ".shared .align 16 .b8 shm[256];\nlabelled:\n" +
               text + ";\nret;\n}\n");
}

inline requirement requirement_of_text(const std::string& text) {
  const module m = asked_module(text);
  verify(m);
  return requirements_of(m).least;
}

/// The target that the table asks for `text`; none where it refuses.
inline int table_sm(const std::string& text) {
  if (text.find(' ') != text.npos) {
    try {
      return requirement_of_text(text).sm;
    } catch (const error&) { return 0; }
  }
  instruction i;
  std::string_view rest = text;
  const std::string_view word = rest.substr(0, rest.find('.'));
  i.op = to_opcode(word);
  rest.remove_prefix(word.size());
  while (!rest.empty()) {
    const std::string_view modifier = rest.substr(1, rest.find('.', 1) - 1);
    i.add(to_token(modifier));
    if (to_token(modifier) == token::none) return 0;
    rest.remove_prefix(modifier.size() + 1);
  }
  return find_form(i.op, i.tokens()) == nullptr ? 0 : requirement_of(i).sm;
}

/// For the opcodes of `rows` the table accepts what ptxas accepted, at both targets. Returns how many were compared.
inline int check_against_list(std::span<const form_row> rows) {
  std::set<std::string_view> covered;
  for (const form_row& row : rows) covered.insert(name(row.op));
  int count = 0;
  for (const asked_form& asked : asked_forms()) {
    if (!covered.contains(std::string_view(asked.text).substr(0, asked.text.find_first_of(". ")))) continue;
    ++count;
    const int sm = table_sm(asked.text);
    const bool agrees = (sm != 0 && sm <= 80) == asked.at_sm80 && (sm != 0 && sm <= 90) == asked.at_sm90;
    if (!agrees && !explanation(asked.text).empty()) continue;
    CHECK_MESSAGE(agrees, asked.text, ": the table says sm_", sm, ", ptxas ", asked.at_sm80, " at sm_80 and ", asked.at_sm90,
                  " at sm_90");
  }
  return count;
}

}  // namespace tg::ptx::test
