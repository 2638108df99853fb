// Judges of a kernel's text: our own verifier and parser, the list of forms that ptxas was asked about, and ptxas.
#pragma once

#include <cstdlib>
#include <iterator>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <unordered_map>
#include <utility>

#include "forms_judge.hpp"

namespace tg::ptx::test {

/// The GPUs that a text can be assembled for, as sm numbers: it is for the oldest that it is meant for and the newest, and with
/// TG_EVERY_TARGET for those between them too.
inline constexpr int text_targets[] = {75, 80, 89, 90, 100, 120};

/// The instruction without its operands: `ld.global.f32`.
inline std::string spelling(const instruction& i) {
  std::string out(name(i.op));
  for (const token t : i.tokens()) out.append(".").append(name(t));
  return out;
}

/// What ptxas said at sm_80 about a form without operands; nothing where it was not asked.
inline const asked_form* find_asked(const std::string& text) {
  static const auto by_text = [] {
    std::unordered_map<std::string, asked_form> out;
    for (asked_form& asked : asked_forms()) out.emplace(asked.text, asked);
    return out;
  }();
  const auto found = by_text.find(text);
  return found == by_text.end() ? nullptr : &found->second;
}

/// What is wrong with a module or with `text`, which is said to be its text. Without ptxas the rest is judged. Words that
/// newer GPUs alone have are meant for those from `least_sm` on.
inline tg::dynamic_array<std::string> text_complaints(const module& m, const std::string& text,
                                                      int least_sm = text_targets[0]) {
  tg::dynamic_array<std::string> out;
  try {
    verify(m);
    if (!(parse(text) == m)) out.push_back("parse gives another module");
  } catch (const error& e) { out.push_back(e.what()); }
  for (const function& f : m.functions) {
    for (const instruction& i : f.body) {
      const asked_form* const asked = find_asked(spelling(i));
      if (asked != nullptr && !asked->at_sm80 && least_sm <= 80) out.push_back(asked->text + " is no instruction of sm_80");
    }
  }
  const bool asks_all = std::getenv("TG_EVERY_TARGET") != nullptr;
  bool is_oldest = true;
  for (const int sm : text_targets) {
    if (sm < least_sm) continue;
    const bool is_between = !std::exchange(is_oldest, false) && sm != std::end(text_targets)[-1];
    if (is_between && !asks_all) continue;
    if (m.sm > sm) out.push_back("sm_" + std::to_string(sm) + " is below the text's sm_" + std::to_string(m.sm));
    if (m.sm > sm || !has_ptxas()) continue;
    const verdict v = ask_ptxas(text, "sm_" + std::to_string(sm));
    if (!v.accepted) out.push_back("ptxas for sm_" + std::to_string(sm) + ": " + v.log);
  }
  return out;
}

/// Says so where the last judge is missing.
inline void say_whether_ptxas_judges() {
  if (!has_ptxas()) MESSAGE("ptxas is not there: no text is assembled");
}

}  // namespace tg::ptx::test
