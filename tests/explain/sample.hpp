// A small explanation made by hand, and what is asked of markup.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <tg/explain/explanation.hpp>
#include <tg/explain/target.hpp>

namespace sample {

/// How often `part` occurs in `text`.
inline std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// What is wrong with markup: an element that is not closed in its order, a bare & or <; empty: nothing. Scripts and
/// style sheets are passed over.
inline std::string complaint_about(std::string_view text) {
  std::vector<std::string> open;
  if (text.starts_with("<!DOCTYPE html>")) text.remove_prefix(15);
  const auto starts_entity = [](std::string_view rest) {
    const auto end = rest.find(';');
    return end != rest.npos && end > 1 && end < 8 &&
           std::all_of(
               rest.begin() + 1, rest.begin() + static_cast<std::ptrdiff_t>(end),
               [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '&' && !starts_entity(text.substr(at))) return "a bare & at " + std::to_string(at);
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const auto end = text.find('>', at);
    if (end == text.npos) return "a tag that does not end";
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.empty() || tag.find('<') != tag.npos) return "a bare <";
    if (tag.ends_with('/')) continue;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "</" + std::string(tag.substr(1)) + "> closes nothing";
      open.pop_back();
      continue;
    }
    open.emplace_back(tag.substr(0, tag.find(' ')));
    if (occurrences(tag, "\"") % 2 != 0) return "an attribute that does not end: " + std::string(tag);
    if (open.back() == "script" || open.back() == "style") at = text.find("</" + open.back(), at);
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// 32 lanes `step` bytes apart.
inline tg::analysis::request lanes_apart(std::int64_t step, int bytes = 4) {
  tg::analysis::request r;
  r.access_bytes = bytes;
  for (int l = 0; l < 32; ++l) r.address_bytes[static_cast<std::size_t>(l)] = l * step;
  return r;
}

/// A load that is good, a store that is not, an atomic that depends on data; two lines, of which one is dear.
inline tg::explanation made() {
  tg::explanation e;
  e.kernel = "sample";
  e.block = {64, 1, 1};
  e.device = tg::find_target("H100");
  e.cost.block_threads = 64;
  e.cost.instructions = 10;
  e.cost.sectors_best = 36, e.cost.ideal_sectors = 8, e.cost.global_requests = 2, e.cost.flops = 64;
  e.lines.resize(3);
  for (std::uint32_t n = 0; n < 3; ++n) e.lines[n].where = {"/nowhere/a<b>.cpp", 7 + 2 * n};
  e.lines[0].is_used = e.lines[2].is_used = true;
  e.lines[0].text = "  if (a < b && c > d) load();";
  e.lines[2].text = "  store(\"x\");";
  e.lines[0].share = 0.2, e.lines[2].share = 0.8;
  e.lines[0].cost.instructions = 4, e.lines[2].cost.instructions = 6;
  e.lines[0].cost.sectors_best = e.lines[0].cost.ideal_sectors = 4;
  e.lines[2].cost.sectors_best = 32, e.lines[2].cost.ideal_sectors = 4;
  e.ptx = {{".visible .entry sample()", tg::ptx::no_index, tg::ptx::no_index, 0, {}},
           {"\tld.global.f32 %f1, [%rd1];", 0, 0, 3, {}},
           {"\tst.global.f32 [%rd2], %f1;", 1, 2, 5, {}},
           {"\tret;", 2, 0, 1, {}}};
  e.registers = {3, 5, 1};
  e.peak_instruction = 1;
  e.expected_registers = 10;
  e.occupancy = e.cost.occupancy_on(e.device.multiprocessor, 10);
  e.roof = tg::analysis::roofline_of(e.device);
  e.roof_name = "f32";
  const auto add = [&](tg::verdict v, const char* kind, std::uint32_t instruction, int line) -> tg::explained_access& {
    tg::explained_access a;
    a.judged.where = {"/nowhere/a<b>.cpp", line};
    a.judged.verdict = v;
    a.judged.access_bytes = a.judged.element_bytes = 4;
    a.kind = kind;
    a.instructions = {instruction};
    return e.accesses.emplace_back(std::move(a));
  };
  add(tg::verdict::proved, "load", 0, 7).lanes = lanes_apart(4);
  e.accesses.back().judged.global = tg::analysis::count_global(lanes_apart(4));
  add(tg::verdict::allowed, "store", 1, 11).lanes = lanes_apart(128);
  e.accesses.back().judged.global = tg::analysis::count_global(lanes_apart(128));
  e.accesses.back().judged.is_write = true;
  e.accesses.back().judged.reason = "a & b";
  e.accesses.back().fix = "move it";
  add(tg::verdict::gather, "atomic", 1, 11);
  e.findings = {
      {tg::question::global_race, tg::answer::proved, {"a.cpp", 7}},
      {.question = tg::question::extents, .answer = tg::answer::unknown, .where = {"a.cpp", 7}, .fact = "i < n is not known"}};
  return e;
}

}  // namespace sample
