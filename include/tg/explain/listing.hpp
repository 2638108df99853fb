// The C++ source with its costs in the margin and the PTX, linked line to line.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/explain/explanation.hpp>
#include <tg/explain/markup.hpp>
#include <tg/explain/number.hpp>

namespace tg::report {

namespace detail {

/// Which figures stand in the margin of a kernel: a column of which every number is 0 is left out.
struct margin_columns {
  bool sectors = false, wavefronts = false, flops = false, products = false;

  explicit margin_columns(const cost_figures& c)
      : sectors(c.global_requests != 0),
        wavefronts(c.shared_requests != 0),
        flops(c.flops != 0),
        products(c.multiply_adds != 0) {}
  int count() const { return 5 + sectors + wavefronts + flops + products; }
};

/// A figure, and below it what was counted.
inline void put_figure(markup& out, std::uint64_t n, bool is_over = false, std::optional<std::uint64_t> counted = {}) {
  const auto or_blank = [](std::uint64_t number) { return number == 0 ? std::string() : grouped(number); };
  const auto cell = out.in("td");
  if (is_over) out.element("b", {{"class", "over"}}, or_blank(n));
  else out.text(or_blank(n));
  if (counted && (n != 0 || *counted != 0)) out.element("em", {}, grouped(*counted));
}

inline void put_source_line(markup& out, const explanation& e, std::size_t n, const margin_columns& columns, bool has_ptx) {
  const explained_line& l = e.lines[n];
  const std::string own = std::to_string(n);
  const auto cells = [&] {
    {
      const auto share = out.in("td", {{"class", "share"}});
      if (l.is_used) {
        out.element("i", {{"style", "width:" + std::to_string(std::lround(100 * l.share)) + "%"}}, "");
        out.element("b", {}, percent(l.share));
      }
    }
    const cost_figures& c = l.cost;
    const auto ran = [&](std::uint64_t emulator::line_counters::* figure) {
      return l.measured ? std::optional((*l.measured).*figure) : std::nullopt;
    };
    using seen = emulator::line_counters;
    put_figure(out, c.instructions, false, ran(&seen::executions));
    if (columns.sectors) put_figure(out, c.sectors_best, c.sectors_best > c.ideal_sectors, ran(&seen::sectors));
    if (columns.wavefronts) put_figure(out, c.wavefronts, c.wavefronts > c.ideal_wavefronts, ran(&seen::wavefronts));
    if (columns.flops) put_figure(out, c.flops, false, ran(&seen::flops));
    if (columns.products) put_figure(out, c.multiply_adds, false, ran(&seen::multiply_adds));
    put_figure(out, l.registers);
    {
      const auto number = out.in("td");
      if (has_ptx) out.element("a", {{"href", "#p" + own}}, std::to_string(l.where.line));
      else out.text(std::to_string(l.where.line));
    }
    out.element("td", {}, l.text.empty() && l.is_used ? "(the source is not at hand)" : l.text);
  };
  if (l.is_used) {
    const auto row = out.in("tr", {{"id", "l" + own}, {"data-l", own}});
    cells();
  } else {
    const auto row = out.in("tr", {{"class", "idle"}});
    cells();
  }
}

}  // namespace detail

/// The source as a table.
inline void put_source(markup& out, const explanation& e) {
  const detail::margin_columns columns(e.cost);
  dynamic_array<bool> has_ptx(e.lines.size());
  for (const explained_ptx& p : e.ptx)
    if (p.source < has_ptx.size()) has_ptx[p.source] = true;
  const auto table = out.in("table", {{"class", "code"}});
  {
    const auto head = out.in("thead");
    const auto row = out.in("tr");
    const auto name = [&](bool is_there, const char* text, const char* meaning) {
      if (is_there) out.element("th", {{"scope", "col"}, {"title", meaning}}, text);
    };
    name(true, "busy", "share of the cycles that the units of the machine are busy");
    name(true, "instr", "instructions of warps");
    name(columns.sectors, "sectors", "32-byte sectors of global memory");
    name(columns.wavefronts, "waves", "wavefronts of shared memory");
    name(columns.flops, "flops", "operations of lanes; fma counts two");
    name(columns.products, "mads", "multiply-adds of matrix instructions");
    name(true, "regs", "most 32-bit registers that hold a value on this line");
    name(true, "line", "line of the C++ file");
    name(true, "C++", "source");
  }
  const auto body = out.in("tbody");
  const std::string width = std::to_string(columns.count());
  for (std::size_t n = 0; n < e.lines.size(); ++n) {
    const explained_line& l = e.lines[n];
    const bool is_first = n == 0 || e.lines[n - 1].where.file != l.where.file;
    if (is_first) {
      const auto row = out.in("tr", {{"class", "file"}});
      out.element("td", {{"colspan", width}}, file_name(l.where.file));
    } else if (e.lines[n - 1].where.line + 1 != l.where.line) {
      const auto row = out.in("tr", {{"class", "gap"}});
      out.element("td", {{"colspan", width}}, "...");
    }
    detail::put_source_line(out, e, n, columns, has_ptx[n]);
  }
}

/// The PTX: registers, warps where they were counted, and the text; neighbours of one C++ line in one element.
inline void put_ptx(markup& out, const explanation& e) {
  out.element("div", {{"class", "head"}}, e.counted ? "registers, warps that ran, PTX" : "registers, PTX");
  dynamic_array<bool> is_linked(e.lines.size());
  for (std::size_t n = 0; n < e.ptx.size();) {
    const std::uint32_t source = e.ptx[n].source;
    const auto lines = [&] {
      for (bool is_first = true; n < e.ptx.size() && e.ptx[n].source == source; ++n, is_first = false) {
        const explained_ptx& p = e.ptx[n];
        const bool is_instruction = p.instruction != ptx::no_index;
        if (!is_first) out.raw("\n");
        out.element("i", {}, is_instruction ? std::to_string(p.registers) : "");
        if (e.counted) out.element("b", {}, p.executions ? grouped(*p.executions) : "");
        out.text(p.text.starts_with('\t') ? "  " + p.text.substr(1) : p.text);
      }
    };
    const std::string own = std::to_string(source);
    if (source == ptx::no_index) {
      const auto group = out.in("div");
      lines();
    } else if (is_linked[source]) {
      const auto group = out.in("div", {{"data-l", own}});
      lines();
    } else {
      is_linked[source] = true;
      const auto group = out.in("div", {{"id", "p" + own}, {"data-l", own}});
      lines();
    }
  }
}

}  // namespace tg::report
