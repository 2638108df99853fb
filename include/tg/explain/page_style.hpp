// How a report looks, and the little that moves in it: it reads as well without the script.
#pragma once

#include <string_view>

namespace tg::report {

/// The style sheet. System fonts; light and dark as the reader's system is.
inline constexpr std::string_view page_style = R"css(
:root { color-scheme: light dark; --paper: #fbfbfa; --card: #fff; --ink: #1d2126; --soft: #5b636d; --line: #e2e4e8;
  --accent: #1f6feb; --cell: #3b82d6; --many: #8a63d2; --good: #17693a; --good-back: #e2f4e8; --bad: #a3341c; --bad-back: #fce8e2;
  --note: #7a5200; --note-back: #fbf0d4; --row: #eceef1; --bar: #cfe1fb; --lit: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --paper: #121417; --card: #1a1d21; --ink: #e4e7eb; --soft: #a0a8b3; --line: #2c3138;
  --accent: #6cabff; --cell: #5b9bea; --many: #b191f0; --good: #7fd6a0; --good-back: #173325; --bad: #ff9d84; --bad-back: #43211a;
  --note: #ecc773; --note-back: #3a2f14; --row: #262b31; --bar: #23426b; --lit: #4b4118; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, header, footer { max-width: 1680px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 36px; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 44px 0 4px; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: 6px 0; max-width: 78ch; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.soft { color: var(--soft); font-size: 0.9rem; }
nav { margin-top: 10px; display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 0.92rem; }
code, pre, .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 18px 20px; min-width: 0; }
.summary { margin-top: 22px; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 18px 40px; }
.summary h2 { margin: 0 0 4px; font-size: 0.95rem; color: var(--soft); font-weight: 600; }
.summary ul, .summary ol { margin: 0; padding-left: 1.2em; }
.summary code { color: var(--soft); }
.summary li { overflow-wrap: anywhere; margin-bottom: 4px; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(124px, 1fr)); gap: 12px; margin-top: 16px; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 10px 14px; }
.figures b { display: block; font-size: 1.12rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.figures span { color: var(--soft); font-size: 0.85rem; }
.beside { display: grid; grid-template-columns: minmax(0, max(1020px, 58%)) minmax(0, 1fr); gap: 16px; margin-top: 12px; }
.scroll { overflow: auto; max-height: 78vh; padding: 0; position: relative; }
.wide { overflow-x: auto; padding: 0; margin-top: 12px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { position: sticky; top: 0; background: var(--card); color: var(--soft); font: 600 12px/1.3 system-ui, sans-serif; text-align: right;
  padding: 8px; border-bottom: 1px solid var(--line); white-space: nowrap; z-index: 1; }
td { padding: 1px 8px; text-align: right; white-space: pre; line-height: 1.55; }
th:last-child, td:last-child { text-align: left; }
.plain { width: 100%; }
.plain td { padding: 7px 12px; border-bottom: 1px solid var(--line); white-space: normal; font-size: 0.92rem; vertical-align: top; }
.plain th, .plain td { text-align: left; }
.code .file td { text-align: left; font-weight: 600; padding: 8px; background: var(--row); }
.code .gap td { color: var(--soft); text-align: left; padding: 0 8px; }
.code tr.idle td { color: var(--soft); }
.code td, .code th { padding-left: 6px; padding-right: 6px; }
table.code { width: 100%; }
.code td:last-child:not([colspan]) { min-width: 77ch; width: 100%; }
td.share { position: relative; min-width: 52px; }
td.share i { position: absolute; left: 0; top: 2px; bottom: 2px; background: var(--bar); border-radius: 0 3px 3px 0; }
td.share b { position: relative; font-weight: 500; }
td em { display: block; font-style: normal; color: var(--good); line-height: 1.3; }
.code tr { vertical-align: top; }
.over { color: var(--bad); font-weight: 600; }
.ptx div { padding: 0 10px; white-space: pre; line-height: 1.55; border-left: 3px solid transparent; width: max-content; min-width: 100%; }
.ptx i, .ptx b { display: inline-block; width: 3.6em; padding-right: 1.2em; text-align: right; font: inherit; color: var(--soft);
  user-select: none; }
.ptx b { width: 6.5em; }
.ptx .head { position: sticky; top: 0; background: var(--card); border-bottom: 1px solid var(--line); color: var(--soft);
  font: 600 12px/1.3 system-ui, sans-serif; padding: 8px 10px; z-index: 1; }
[data-l] { cursor: pointer; }
.lit > td, .ptx .lit { background: var(--lit); }
.ptx .lit, .ptx div:target { border-left-color: var(--accent); }
tr:target > td { background: var(--lit); }
.accesses { display: grid; align-items: start; grid-template-columns: repeat(auto-fill, minmax(min(100%, 410px), 1fr)); gap: 16px;
  margin-top: 12px; }
.accesses p { font-size: 0.92rem; }
.top { display: flex; justify-content: space-between; gap: 10px; align-items: baseline; }
.chip { font-size: 0.78rem; font-weight: 600; padding: 2px 10px; border-radius: 99px; white-space: nowrap; }
.good { color: var(--good); background: var(--good-back); }
.bad { color: var(--bad); background: var(--bad-back); }
.note { color: var(--note); background: var(--note-back); }
figure { margin: 12px 0 0; }
svg { display: block; width: 100%; height: auto; }
.picture { max-width: 460px; }
.chart { max-width: 640px; }
svg text { font: 10px system-ui, sans-serif; fill: var(--soft); }
.chart text { font-size: 12.5px; }
.row { fill: var(--row); }
.cell { fill: var(--cell); }
.used { fill: var(--good); }
.cell.shared { fill: var(--many); }
svg .lane { font-size: 7.5px; fill: #fff; }
.bad-access .cell:not(.shared) { fill: #c8553d; }
.grid { stroke: var(--line); }
.area { fill: var(--bar); stroke: var(--accent); stroke-width: 1.2; }
.mark { stroke: var(--soft); stroke-dasharray: 4 4; }
.roof { fill: none; stroke: var(--ink); stroke-width: 2; }
.here { fill: var(--accent); }
.counted { fill: var(--card); stroke: var(--good); stroke-width: 3; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 16px; margin-top: 12px; }
.charts h2 { margin: 0 0 2px; }
footer { padding-top: 40px; padding-bottom: 48px; }
@media (prefers-color-scheme: dark) { svg .lane { fill: #0d1117; } }
@media (max-width: 1480px) { .beside { grid-template-columns: minmax(0, 1fr); } .scroll { max-height: 70vh; } }
@media (max-width: 560px) { main, header, footer { padding-left: 16px; padding-right: 16px; } header { padding-top: 22px; }
  .card { padding: 14px; } .scroll, .wide { padding: 0; } .code td { padding: 1px 5px; }
  .code th { padding: 8px 5px; } .figures { grid-template-columns: repeat(2, 1fr); } h1 { font-size: 1.5rem; } }
)css";

/// Under the pointer, a C++ line and its PTX light up together; a click brings the other side into view.
inline constexpr std::string_view page_script = R"js(
(() => {
  const sides = new Map();
  for (const e of document.querySelectorAll('[data-l]')) {
    const key = e.dataset.l;
    if (!sides.has(key)) sides.set(key, []);
    sides.get(key).push(e);
  }
  let lit = null;
  const light = key => {
    if (key === lit) return;
    for (const e of sides.get(lit) || []) e.classList.remove('lit');
    for (const e of sides.get(key) || []) e.classList.add('lit');
    lit = key;
  };
  const key = event => event.target.closest('[data-l]')?.dataset.l;
  const show = (from, to) => {
    const box = to.closest('.scroll');
    if (!box || box.contains(from)) return;
    const d = to.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += d - box.clientHeight / 3;
  };
  for (const box of document.querySelectorAll('.beside .scroll')) {
    box.addEventListener('mouseover', event => { if (key(event)) light(key(event)); });
    box.addEventListener('click', event => {
      const own = key(event);
      if (!own) return;
      if (event.target.closest('a')) event.preventDefault();
      light(own);
      const other = sides.get(own).find(e => !box.contains(e));
      if (other) show(event.target, other);
    });
  }
})();
)js";

}  // namespace tg::report
