// The index of explanations.
#pragma once

#include <tg/explain/index.hpp>

#include <algorithm>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/explain/markup.hpp>
#include <tg/explain/number.hpp>
#include <tg/explain/page_style.hpp>
#include <tg/explain/text_table.hpp>

namespace tg {

namespace report {

inline dynamic_array<std::string> index_head() {
  return {"kernel", "bound by",  "roofline",  "sectors", "ideal",   "wavefronts",
          "ideal",  "registers", "occupancy", "proved",  "refuted", "unknown"};
}
inline dynamic_array<std::string> index_cells(const index_row& r) {
  return {r.kernel,
          name(r.bound),
          percent(r.roof_share),
          grouped(r.sectors),
          grouped(r.ideal_sectors),
          grouped(r.wavefronts),
          grouped(r.ideal_wavefronts),
          std::to_string(r.registers),
          percent(r.occupancy),
          std::to_string(r.proved),
          std::to_string(r.refuted),
          std::to_string(r.unknown)};
}

}  // namespace report

TG_LIBRARY_FUNCTION index_row to_index_row(const explanation& e, std::string page) {
  const unit_cycles cycles = e.cycles();
  const double most = cycles[cycles.busiest()];
  const double roof = std::max(cycles[machine_unit::global_memory], cycles[machine_unit::tensor_core]);
  return {e.kernel,
          std::move(page),
          cycles.busiest(),
          most == 0 ? 0 : roof / most,
          e.cost.sectors_best,
          e.cost.ideal_sectors,
          e.cost.wavefronts,
          e.cost.ideal_wavefronts,
          e.expected_registers,
          e.occupancy.fraction(),
          e.count(answer::proved),
          e.count(answer::refuted),
          e.count(answer::unknown)};
}

TG_LIBRARY_FUNCTION std::string to_html(const dynamic_array<index_row>& rows, std::string_view device) {
  report::markup out;
  out.raw("<!DOCTYPE html>\n");
  {
    const auto html = out.in("html", {{"lang", "en"}});
    {
      const auto head = out.in("head");
      out.single("meta", {{"charset", "utf-8"}})
          .single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
      out.single("link", {{"rel", "icon"}, {"href", "data:,"}});
      out.element("title", {}, "Kernels on " + std::string(device)).raw("<style>").raw(report::page_style).raw("</style>");
    }
    const auto body = out.in("body");
    {
      const auto header = out.in("header");
      out.element("h1", {}, std::to_string(rows.size()) + " kernels on " + std::string(device));
      out.element(
          "p", {{"class", "soft"}},
          "Sectors and wavefronts are those known before a launch, of one block where nothing says more. Roofline: the share of "
          "the peak of memory or of tensor cores that is reached if what the units do overlaps perfectly.");
    }
    const auto main = out.in("main");
    const auto scroll = out.in("div", {{"class", "scroll"}});
    const auto table = out.in("table");
    {
      const auto head = out.in("thead");
      const auto line = out.in("tr");
      for (const std::string& cell : report::index_head()) out.element("th", {}, cell);
    }
    const auto all = out.in("tbody");
    for (const index_row& r : rows) {
      const auto line = out.in("tr");
      bool is_first = true;
      for (const std::string& cell : report::index_cells(r)) {
        const auto own = out.in("td");
        if (std::exchange(is_first, false)) out.element("a", {{"href", r.page}}, cell);
        else out.text(cell);
      }
    }
  }
  out.raw("\n");
  return out.take();
}

TG_LIBRARY_FUNCTION std::string to_text(const dynamic_array<index_row>& rows) {
  report::text_table out;
  out.row(report::index_head());
  for (const index_row& r : rows) out.row(report::index_cells(r));
  return out.str();
}

}  // namespace tg
