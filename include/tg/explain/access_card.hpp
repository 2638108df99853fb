// One access of a page: verdict, cost, pictures, what was counted, and what to do.
#pragma once

#include <string>
#include <utility>

#include <tg/explain/access_picture.hpp>
#include <tg/explain/explanation.hpp>
#include <tg/explain/number.hpp>
#include <tg/explain/summary.hpp>

namespace tg::report {

/// Word and class of a verdict.
inline std::pair<const char*, const char*> chip_of(verdict v) {
  switch (v) {
    case verdict::proved: return {"proved good", "good"};
    case verdict::allowed: return {"bad, excused", "bad"};
    case verdict::traced: return {"good when recorded", "good"};
    case verdict::gather: return {"depends on data", "note"};
  }
  return {"", ""};
}

/// "4 to 5 sectors per request of a full warp, 1,024 in 256 requests".
inline std::string measured_text(const explained_access& a) {
  const measured_access& m = *a.measured;
  if (m.requests == 0) return "It did not run.";
  const std::string unit = a.judged.is_shared ? "wavefront" : "sector";
  std::string out = "Counted: ";
  if (m.most != 0)
    out += (m.least == m.most ? count(m.most, unit) : std::to_string(m.least) + " to " + count(m.most, unit)) +
           " per request of a full warp; ";
  return out + count(m.total, unit) + " in " + count(m.requests, "request") + ".";
}

/// Writes the card of one access: its picture, its cost, what to change.
inline void put_access(markup& out, const explained_access& a) {
  const access& said = a.judged;
  const auto card = out.in("article", {{"class", a.is_bad() ? "card bad-access" : "card"}});
  {
    const auto top = out.in("div", {{"class", "top"}});
    out.element("h3", {},
                place(said.where.file, static_cast<std::uint32_t>(said.where.line)) + ": " + a.kind +
                    (a.object.empty() ? "" : (said.is_write ? " to " : " of ") + a.object));
    const auto [word, kind] = chip_of(said.verdict);
    out.element("span", {{"class", std::string("chip ") + kind}}, word);
  }
  out.element("p", {},
              cost_text(a) + "; " + std::to_string(said.access_bytes) + " bytes per lane" +
                  (a.instructions.size() == 1 ? "." : "; " + std::to_string(a.instructions.size()) + " instructions alike."));
  if (a.measured) out.element("p", {{"class", "soft"}}, measured_text(a));
  if (!said.reason.empty()) out.element("p", {{"class", "soft"}}, "Excused: " + std::string(said.reason) + ".");
  if (!a.fix.empty()) {
    const auto fix = out.in("p");
    out.element("b", {}, "To mend it: ").text(a.fix + ".");
  }
  if (!a.lanes) return;
  const auto figure = out.in("figure");
  if (said.is_shared) draw_banks(out, *a.lanes);
  else draw_sectors(out, *a.lanes);
}

}  // namespace tg::report
