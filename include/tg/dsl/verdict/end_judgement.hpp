// The verdicts for which all has to be recorded: on indices that are variables or have one of several patterns, and on
// accesses that use the sectors of others.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/verdict/check.hpp>
#include <tg/dsl/verdict/lane_cases.hpp>
#include <tg/dsl/verdict/request_counter.hpp>
#include <tg/dsl/verdict/sibling_accesses.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// Judges one access when all is known that it takes. Errors: TG201 to TG204.
class end_judge {
 public:
  end_judge(tape& t) : tape_(t), flow_(t) {}

  void operator()() {
    bool has_siblings = false;
    for (open_judgement& open : tape_.open) {
      if (open.question == open_question::cost) judge_costs(open);
      has_siblings = has_siblings || open.question == open_question::siblings;
    }
    if (has_siblings) judge_siblings();
    for (access& a : tape_.accesses) {
      if (a.open != 0) keep(a, tape_.open[a.open - 1].judged);
      if (a.open_write != 0) keep(a, tape_.open[a.open_write - 1].judged);
      a.open = a.open_write = 0;
    }
  }

 private:
  // A copy has a judgement for what it reads and one for what it writes.
  static void keep(access& a, const access& judged) {
    if (judged.is_shared) {
      a.shared = judged.shared;
      a.shared_of_warp = judged.shared_of_warp;
    } else {
      a.global = judged.global;
      a.global_of_warp = judged.global_of_warp;
    }
    a.verdict = a.is_shared == judged.is_shared && a.open_write == 0 ? judged.verdict : std::max(a.verdict, judged.verdict);
  }

  void judge_siblings() {
    const auto groups = sibling_accesses(tape_, flow_);
    for (const sibling_group& group : groups) {
      const open_judgement& first = tape_.open[group.members.front().open];
      bool is_full = true;
      for (int w = 0; w < tape_.block.warps() && is_full; ++w) {
        lane_cases cases(tape_, flow_, w);
        const lane_findings found = cases(first.request, [&](const lane_case& one) {
          is_full = is_full && fills_sectors(group, one.lanes, tape_.open, analysis::active_lanes(tape_.block, w));
        });
        is_full = is_full && found.is_known;
      }
      for (const sibling_group::member& m : group.members) {
        open_judgement& own = tape_.open[m.open];
        if (!is_full) refuse_sectors(own.request, own.judged, own.judged.global, group.accesses());
        own.judged.verdict = verdict::traced;
        own.judged.global.good = true;
      }
    }
  }

  void judge_costs(open_judgement& open) {
    access& a = open.judged;
    const bool is_gathered = detail::end_judge::is_gathered(a);
    if (!is_gathered) a.verdict = verdict::traced;
    dynamic_array<lane_leaf> leaves;
    for (int w = 0; w < tape_.block.warps(); ++w) {
      lane_cases cases(tape_, flow_, w);
      if (w > 0 && cases.is_like(leaves)) {
        a.global_of_warp[static_cast<std::size_t>(w)] = a.global_of_warp[static_cast<std::size_t>(w - 1)];
        a.shared_of_warp[static_cast<std::size_t>(w)] = a.shared_of_warp[static_cast<std::size_t>(w - 1)];
        if (analysis::active_lanes(tape_.block, w) == analysis::active_lanes(tape_.block, w - 1)) continue;
      }
      if (a.is_shared) judge_shared_warp(open, cases, w);
      else judge_global_warp(open, cases, w);
      leaves = cases.leaves();
    }
    if (is_gathered || a.is_shared || a.global.good || open.request.excused == 202) return;
    open.question = open_question::siblings;
  }

  void require_known(const open_judgement& open, const lane_findings& found, bool is_counted) {
    if (found.is_known && is_counted) return;
    const ptx::operand o = found.unknown.is(ptx::operand_kind::none) ? open.request.parts[0].index : found.unknown;
    throw error(
        code{204}, "the lanes of this index are not known: " + text_of(o),
        "where all lanes of a warp hold one number, say tg::assume_warp_uniform of it, else write tg::gather(index) to read "
        "or tg::scatter(index) to write",
        open.judged.where);
  }

  void judge_global_warp(open_judgement& open, lane_cases& cases, int warp) {
    access& a = open.judged;
    const request_counter counter(open.request, a, tape_.block, warp);
    std::map<std::uint32_t, analysis::global_cost> worst;
    bool is_counted = true, is_aligned = true;
    const lane_findings found = cases(open.request, [&](const lane_case& one) {
      const analysis::lane_value& lanes = one.lanes;
      const request_counter own_lanes = counter.of(one.chosen_by);
      if (own_lanes.active == 0) return;
      const analysis::global_cost cost = own_lanes.global(lanes, one.falls);
      is_counted = is_counted && cost.known;
      is_aligned = is_aligned && own_lanes.is_aligned(lanes);
      const auto [own, is_first] = worst.emplace(one.choice, cost);
      if (!is_first) own->second = worse_of(own->second, cost);
    });
    require_known(open, found, is_counted);
    if (!is_aligned && !open.request.is_gathered()) refuse_alignment(open.request, a);
    analysis::global_cost cost = worst.begin()->second;
    for (auto next = std::next(worst.begin()); next != worst.end(); ++next) {
      const analysis::global_cost& other = next->second;
      cost.sectors += other.sectors;
      cost.lines += other.lines;
      cost.slack_sectors += other.slack_sectors;
      cost.sectors_best = std::min(cost.sectors_best, other.sectors_best);
      cost.good = cost.good && other.good;
      cost.fillable = cost.fillable || other.fillable;
      cost.exact = false;
      cost.clamped = true;
    }
    const int alone = counter.alone();
    if (found.may_divide_small) cost.sectors = cost.lines = alone, cost.clamped = true, cost.exact = false;
    if (a.access_bytes <= a.element_bytes) cost.sectors = std::min(cost.sectors, alone);
    if (!is_gathered(a)) {
      a.global = warp == 0 ? cost : worst_warp::worse(a.global, cost);
      a.global_of_warp[static_cast<std::size_t>(warp)] = to_share(cost);
      if (!cost.good && open.request.excused == 202) a.verdict = verdict::allowed;
    }
    if (!cost.good && open.request.excused != 202 && (!cost.fillable || is_gathered(a))) refuse_sectors(open.request, a, cost);
  }

  void judge_shared_warp(open_judgement& open, lane_cases& cases, int warp) {
    access& a = open.judged;
    const request_counter counter(open.request, a, tape_.block, warp);
    std::map<std::uint32_t, analysis::shared_cost> worst;
    joined_lanes joined;
    bool is_counted = true, is_aligned = true;
    const lane_findings found = cases(open.request, [&](const lane_case& one) {
      const analysis::lane_value& lanes = one.lanes;
      const request_counter own_lanes = counter.of(one.chosen_by);
      if (own_lanes.active == 0) return;
      joined.add(own_lanes.active, one);
      const analysis::shared_cost cost = one.falls > 0 ? in_rows(own_lanes, lanes) : own_lanes.shared(lanes);
      is_counted = is_counted && cost.known;
      is_aligned = is_aligned && own_lanes.is_aligned(lanes);
      const auto [own, is_first] = worst.emplace(one.choice, cost);
      if (!is_first) {
        const bool is_good = own->second.good && cost.good;
        own->second = worst_warp::worse(own->second, cost);
        own->second.good = is_good;
        own->second.exact = false;
      }
    });
    require_known(open, found, is_counted);
    if (!is_aligned && !open.request.is_gathered()) refuse_alignment(open.request, a);
    analysis::shared_cost cost = worst.begin()->second;
    for (auto next = std::next(worst.begin()); next != worst.end(); ++next) {
      cost.wavefronts += next->second.wavefronts;
      cost.ways += next->second.ways;
      cost.good = cost.good && next->second.good;
      cost.exact = false;
    }
    if (const analysis::lane_value* const all = joined.of(counter.active)) cost = counter.shared(*all);
    const int alone = counter.alone();
    if (found.may_divide_small) cost.wavefronts = cost.ways = alone, cost.exact = false;
    if (found.has_small && a.access_bytes > analysis::word_bytes) {
      // What a small divisor leaves lies in fewer elements than a warp has lanes, but the lanes of a phase may go around their
      // end.
      const int most_ways = (analysis::warp_lanes * a.access_bytes + analysis::banks * analysis::word_bytes - 1) /
                            (analysis::banks * analysis::word_bytes);
      cost.wavefronts = std::max(cost.wavefronts, std::min(alone, cost.ideal_wavefronts * most_ways));
      cost.ways = std::max(cost.ways, most_ways);
      cost.exact = false;
    }
    if (a.access_bytes <= 4) cost.wavefronts = std::min(cost.wavefronts, alone);
    if (!is_gathered(a)) {
      a.shared = warp == 0 ? cost : worst_warp::worse(a.shared, cost);
      a.shared_of_warp[static_cast<std::size_t>(warp)] = to_share(cost);
      if (!cost.good && open.request.excused == 201) a.verdict = verdict::allowed;
    }
    if (!cost.good && open.request.excused != 201) refuse_wavefronts(open.request, a, cost);
  }

  static bool is_gathered(const access& a) { return a.verdict == verdict::gather; }

  static analysis::global_cost worse_of(const analysis::global_cost& a, const analysis::global_cost& b) {
    analysis::global_cost out = worst_warp::worse(a, b);
    out.sectors = std::max(a.sectors, b.sectors);
    out.sectors_best = std::min(a.sectors_best, b.sectors_best);
    out.lines = std::max(a.lines, b.lines);
    out.exact = a.exact && b.exact && a.sectors == b.sectors;
    out.fillable = a.fillable || b.fillable;
    return out;
  }

  // What lies in front of the fall of a division by an unknown number, and what lies behind it, may meet in the banks: what
  // each costs alone is added up, and that there are two is no finding.
  static analysis::shared_cost in_rows(const request_counter& counter, const analysis::lane_value& lanes) {
    if (!lanes.known || lanes.stride_count == 0 || analysis::clamped_term(lanes) >= 0) return counter.shared(lanes);
    if (counter.request.matrices > 0) return counter.shared(lanes);
    analysis::shared_cost out;
    out.known = false;
    int rows_seen = 0;
    const analysis::row_factors rows{lanes.strides.data(), lanes.stride_count};
    analysis::lane_mask seen = 0;
    for (int first = 0; first < analysis::warp_lanes; ++first) {
      if ((seen >> first & 1) != 0 || (counter.active >> first & 1) == 0) continue;
      request_counter own = counter;
      own.active = 0;
      for (int l = first; l < analysis::warp_lanes; ++l)
        if (rows.compare(l, first) == 0) own.active |= analysis::lane_mask{1} << l;
      own.active &= counter.active;
      seen |= own.active;
      if (++rows_seen > 2) return counter.shared(lanes);
      analysis::lane_value row = lanes;
      for (int k = 0; k < lanes.stride_count; ++k)
        analysis::add_base(
            row,
            lanes.strides[k].kind == analysis::lane_term::grouped
                ? lanes.strides[k].divisor
                : analysis::divisor_of_product(lanes.strides[k].divisor, analysis::magnitude(lanes.strides[k].coef[first])),
            true);
      row.stride_count = 0;
      row.strides = {};
      const analysis::shared_cost cost = own.shared(row);
      if (!cost.known) return cost;
      if (!out.known) {
        out = cost;
        continue;
      }
      out.wavefronts += cost.wavefronts;
      out.ways += cost.ways;
      out.ideal_wavefronts = std::max(out.ideal_wavefronts, cost.ideal_wavefronts);
      out.good = out.good && cost.good;
      out.exact = false;
    }
    return out;
  }

  // What is not known, in words.
  std::string text_of(const ptx::operand& o) const {
    const ptx::instruction* const i = o.is_reg() ? flow_.only_write(o.id) : nullptr;
    if (i == nullptr) return "it depends on a register that is written in several places";
    std::string what = "it depends on '" + std::string(ptx::name(i->op)) + "'";
    if (ptx::is_load(i->op)) what = "it depends on what is loaded";
    if (i->op == ptx::opcode::shfl) what = "it depends on a shuffle";
    switch (ptx::calculation_of(i->op)) {
      case ptx::calculation::copy: what = "it depends on a variable that lanes may give different numbers to, read"; break;
      case ptx::calculation::div:
      case ptx::calculation::rem:
        what = "it divides a number that does not count up one by one by one that is not known,";
        break;
      case ptx::calculation::bit_and:
      case ptx::calculation::bit_or:
      case ptx::calculation::bit_xor:
      case ptx::calculation::shr: what = "it takes bits of a clamped or unknown number"; break;
      default: break;
    }
    const std::string& path = tape_.mod().files[i->where.file];
    return what + " at " + path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(i->where.line);
  }

  tape& tape_;
  recorded_flow flow_;
};

/// Errors: TG201 to TG204.
inline void judge_open(tape& t) {
  if (!t.open.empty()) end_judge{t}();
}

}  // namespace tg::detail
