// The page of an explanation, section by section.
#pragma once

#include <tg/explain/to_html.hpp>

#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/explain/access_card.hpp>
#include <tg/explain/chart.hpp>
#include <tg/explain/listing.hpp>
#include <tg/explain/page_style.hpp>

namespace tg {

namespace report {

/// Writes one page.
class page {
 public:
  explicit page(const explanation& e) : e_(e) {}

  std::string operator()() {
    out_.raw("<!DOCTYPE html>\n");
    {
      const auto html = out_.in("html", {{"lang", "en"}});
      head();
      const auto body = out_.in("body");
      top();
      {
        const auto main = out_.in("main");
        summary();
        figures();
        listing();
        accesses();
        charts();
        occupancy();
        proofs();
      }
      foot();
      out_.raw("<script>").raw(page_script).raw("</script>");
    }
    out_.raw("\n");
    return out_.take();
  }

 private:
  void head() {
    const auto head = out_.in("head");
    out_.single("meta", {{"charset", "utf-8"}})
        .single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    out_.single("link", {{"rel", "icon"}, {"href", "data:,"}});
    out_.element("title", {}, e_.kernel + " on " + std::string(e_.device.name)).raw("<style>").raw(page_style).raw("</style>");
  }

  void top() {
    const auto header = out_.in("header");
    out_.element("h1", {}, e_.kernel);
    const auto extent = [](int n) { return std::to_string(n); };
    out_.element("p", {{"class", "soft"}},
                 "Blocks of " + extent(e_.block.x) + " x " + extent(e_.block.y) + " x " + extent(e_.block.z) +
                     " threads, explained for " + std::string(e_.device.name) + " (sm_" + std::to_string(e_.device.sm) +
                     "). Figures are of " + count(e_.cost.blocks, "block") + " of full warps, before the kernel runs" +
                     (e_.counted ? "; those called counted are what the emulator saw." : "."));
    const auto nav = out_.in("nav", {{"aria-label", "sections"}});
    constexpr std::pair<const char*, const char*> sections[] = {{"#source", "Source and PTX"}, {"#accesses", "Memory accesses"},
                                                                {"#registers", "Registers"},   {"#roofline", "Roofline"},
                                                                {"#occupancy", "Occupancy"},   {"#proofs", "Proofs"}};
    for (const auto& [id, name] : sections) out_.element("a", {{"href", id}}, name);
  }

  void summary() {
    const report::summary sum = report::summarize(e_);
    const auto card = out_.in("section", {{"class", "card summary"}, {"aria-label", "summary"}});
    const auto part = [&](const char* title, const auto& contents) {
      const auto own = out_.in("div");
      out_.element("h2", {}, title);
      contents();
    };
    part("What limits it", [&] { out_.element("p", {}, sum.limit); });
    part("Its dearest lines", [&] { dearest(sum.dearest); });
    part("What was proved", [&] { out_.element("p", {}, sum.verdicts); });
    part("What to do", [&] {
      const auto list = out_.in("ul");
      for (const std::string& advice : sum.advice) out_.element("li", {}, advice);
    });
  }

  void dearest(const dynamic_array<dear_line>& lines) {
    const auto list = out_.in("ol");
    for (const dear_line& l : lines) {
      const auto item = out_.in("li");
      out_.element("b", {}, l.share).text(" " + l.place);
      if (!l.code.empty()) out_.single("br", {}).element("code", {}, l.code);
    }
  }

  void figures() {
    const auto own = out_.in("div", {{"class", "figures"}});
    const auto figure = [&](const std::string& value, const std::string& what) {
      const auto box = out_.in("div");
      out_.element("b", {}, value).element("span", {}, what);
    };
    const kernel_cost& c = e_.cost;
    figure(grouped(c.instructions), "instructions of warps");
    figure(grouped(c.sectors_best), "sectors, ideal " + grouped(c.ideal_sectors));
    if (c.shared_requests != 0) figure(grouped(c.wavefronts), "wavefronts, ideal " + grouped(c.ideal_wavefronts));
    if (c.flops != 0) figure(grouped(c.flops), "operations of lanes");
    if (c.multiply_adds != 0) figure(grouped(c.multiply_adds), "multiply-adds of matrices");
    figure(rounded(e_.intensity()), "operations per byte");
    figure(std::to_string(e_.expected_registers), "registers, estimated");
    figure(grouped(static_cast<std::uint64_t>(c.shared_bytes)), "bytes of shared memory");
    figure(percent(e_.occupancy.fraction()), "of the warps resident");
    if (e_.counted) figure(grouped(e_.counted->warp_instructions), "instructions counted");
  }

  void title(const char* id, const char* text, const std::string& soft) {
    out_.element("h2", {{"id", id}}, text).element("p", {{"class", "soft"}}, soft);
  }

  void listing() {
    title("source", "Source and PTX",
          std::string("Red is more than its bytes need. A line and its PTX light up together; a click finds the other side.") +
              (e_.counted ? " Below each figure stands what was counted." : ""));
    const auto beside = out_.in("div", {{"class", "beside"}});
    {
      const auto box =
          out_.in("div", {{"class", "card scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "C++ source"}});
      put_source(out_, e_);
    }
    const auto box =
        out_.in("div", {{"class", "card scroll code ptx"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "PTX"}});
    put_ptx(out_, e_);
  }

  void accesses() {
    title("accesses", "Memory accesses",
          "What the worst warp asks for, at the best base: the taller a picture, the dearer the access. Global "
          "memory: lanes across, "
          "sectors of 32 bytes down, and at the right how much of each is used. Shared memory: banks across, "
          "wavefronts down; a number "
          "is the lane that is served, violet serves several.");
    if (e_.accesses.empty()) {
      out_.element("p", {}, "The kernel touches no memory.");
      return;
    }
    const auto own = out_.in("div", {{"class", "accesses"}});
    for (const explained_access& a : e_.accesses) put_access(out_, a);
  }

  void charts() {
    const auto own = out_.in("div", {{"class", "charts"}, {"style", "margin-top:44px"}});
    const auto chart = [&](const char* id, const char* name, const std::string& soft, const auto& draw) {
      const auto card = out_.in("section", {{"class", "card"}});
      title(id, name, soft);
      draw(out_, e_);
    };
    const std::uint32_t peak = e_.registers.empty() ? 0 : e_.registers[e_.peak_instruction];
    chart("registers", "Registers",
          std::to_string(peak) + " hold a value at the dearest place" + (e_.spills ? "; some will be spilled." : "."),
          draw_pressure);
    chart("roofline", "Roofline",
          e_.cost.all_flops() == 0 ? "No floating-point work: the kernel has no place on the roof, memory is its bound."
                                   : rounded(e_.intensity()) + " operations per byte" + (e_.counted ? ", counted: " : ": ") +
                                         rounded(e_.roof.attainable_tflops(e_.intensity())) + " TFLOP/s at most, of " +
                                         rounded(e_.roof.tflops) + ".",
          draw_roofline);
  }

  void row(std::initializer_list<std::string> cells, const char* tag = "td") {
    const auto own = out_.in("tr");
    for (const std::string& c : cells) out_.element(tag, {}, c);
  }

  void occupancy() {
    const analysis::occupancy& o = e_.occupancy;
    title("occupancy", "Occupancy",
          std::to_string(o.blocks) + " blocks, " + std::to_string(o.warps) + " of " + std::to_string(o.max_warps) +
              " warps share a multiprocessor; what keeps more out: " + name(o.limiter) + ".");
    const auto box = out_.in("div", {{"class", "card wide"}, {"tabindex", "0"}});
    const auto table = out_.in("table", {{"class", "plain"}});
    row({"limit", "this kernel asks for", "blocks that fit"}, "th");
    row({"threads", std::to_string(e_.block.threads()) + " per block", std::to_string(o.by_threads)});
    row({"registers", std::to_string(e_.expected_registers) + " per thread, estimated", std::to_string(o.by_registers)});
    row({"shared memory", grouped(static_cast<std::uint64_t>(e_.cost.shared_bytes)) + " bytes per block",
         std::to_string(o.by_shared_memory)});
    row({"blocks", "", std::to_string(o.by_blocks)});
  }

  void proofs() {
    title("proofs", "Proofs", "Asked of every access and barrier, for all threads of a block, before the kernel runs.");
    const auto box = out_.in("div", {{"class", "card wide"}, {"tabindex", "0"}});
    const auto table = out_.in("table", {{"class", "plain"}});
    row({"question", "proved", "refuted", "unknown"}, "th");
    std::map<question, std::array<int, 3>> counts;
    for (const finding& f : e_.findings) ++counts[f.question][static_cast<std::size_t>(f.answer)];
    for (const auto& [asked, n] : counts)
      row({tg::name(asked), std::to_string(n[0]), std::to_string(n[1]), std::to_string(n[2])});
    for (const open_question& q : open_questions(e_)) {
      const auto own = out_.in("tr");
      const auto cell = out_.in("td", {{"colspan", "4"}});
      out_.element("span", {{"class", q.answer == answer::refuted ? "chip bad" : "chip note"}}, tg::name(q.answer))
          .text(" " + q.text + times_text(q));
    }
  }

  void foot() {
    const auto footer = out_.in("footer", {{"class", "soft"}});
    out_.element("p", {},
                 "Costs are facts about the PTX that tg emits, for full warps: ptxas may still reorder and unroll. Peaks: " +
                     std::string(e_.device.source) + ".");
  }

  const explanation& e_;
  markup out_;
};

}  // namespace report

TG_LIBRARY_FUNCTION std::string to_html(const explanation& e) { return report::page(e)(); }

}  // namespace tg
