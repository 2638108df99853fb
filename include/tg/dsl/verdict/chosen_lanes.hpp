// The lanes of an index in one warp, by what is chosen at each point where it has several patterns. New points are met on the
// way and begin with their first choice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/analysis/division_cases.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/recorded_flow.hpp>
#include <tg/dsl/verdict/lane_choices.hpp>
#include <tg/dsl/verdict/lane_comparison.hpp>
#include <tg/dsl/verdict/lane_leaves.hpp>
#include <tg/dsl/verdict/number_type.hpp>
#include <tg/dsl/verdict/request_counter.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// Follows the record back from an index. Requires: all is recorded.
class chosen_lanes {
 public:
  using lane_value = analysis::lane_value;

  chosen_lanes(tape& t, recorded_flow& flow, int warp) : tape_(t), flow_(flow), pure_(t, warp) {}

  /// Begins with another index.
  void begin(const recorded_request& request) {
    findings = {};
    choices.clear();
    is_run_ = is_run(request);
  }

  /// The lanes of the index.
  lane_value operator()(const recorded_request& request) {
    seen_.clear();
    return sum_of_parts(request, [&](const ptx::operand& o) { return value(o); });
  }

  /// Whether another warp's leaves hold the same here.
  bool is_like(const dynamic_array<lane_leaf>& other) { return leaves.are_like(other, pure_); }

  lane_findings findings;
  lane_choices choices;
  lane_leaves leaves;

 private:
  static constexpr std::size_t most_starts = 15;
  static constexpr int most_depth = 64;

  lane_value unknown(const ptx::operand& o) {
    if (findings.unknown.is(ptx::operand_kind::none)) findings.unknown = o;
    return analysis::unknown();
  }

  lane_value value(const ptx::operand& o, int depth = 0) {
    if (lane_value known = pure_(o); known.known || !o.is_reg()) {
      if (!known.known) return unknown(o);
      leaves.add(o, known, 0);
      return known;
    }
    for (const auto& [reg, lanes] : seen_)
      if (reg == o.id) return lanes;
    if (depth > most_depth) return unknown(o);
    lane_value out = of_register(o, depth + 1);
    seen_.emplace_back(o.id, out);
    return out;
  }

  lane_value of_register(const ptx::operand& o, int depth) {
    const ptx::instruction* const i = flow_.only_write(o.id);
    if (i == nullptr) return unknown(o);
    lane_value out = analysis::unknown();
    const ptx::operand none_yet = findings.unknown;
    switch (ptx::calculation_of(i->op)) {
      case ptx::calculation::copy:
        out = (*i)[1].is_reg() && tape_.definition_of((*i)[1].id) == nullptr ? of_variable((*i)[1].id, o.id, depth)
                                                                             : value((*i)[1], depth);
        break;
      case ptx::calculation::select: out = of_selection(*i, depth); break;
      case ptx::calculation::rem: out = of_division(*i, (*i)[1], value((*i)[2], depth), rule_of(*i), true, depth); break;
      case ptx::calculation::div: out = of_division(*i, (*i)[1], value((*i)[2], depth), rule_of(*i), false, depth); break;
      case ptx::calculation::bit_and: out = of_mask(*i, depth); break;
      case ptx::calculation::shr: out = of_shift(*i, depth); break;
      case ptx::calculation::convert:
      case ptx::calculation::add:
      case ptx::calculation::sub:
      case ptx::calculation::mul:
      case ptx::calculation::shl:
      case ptx::calculation::bit_or:
      case ptx::calculation::bit_xor:
      case ptx::calculation::min:
      case ptx::calculation::max: {
        const lane_value a = value((*i)[1], depth);
        out = traced_index::result_of(*i, a, i->operand_count > 2 ? value((*i)[2], depth) : a);
        break;
      }
      default: break;
    }
    if (out.known) return out;
    if (flow_.varies(o.id)) return unknown(o);
    findings.unknown = none_yet;
    return analysis::uniform(1, is_signed_word(i->type()));  // all lanes share it, and nothing else is known
  }

  lane_value of_mask(const ptx::instruction& i, int depth) {
    const ptx::operand &a = i[1], &b = i[2];
    if (b.is(ptx::operand_kind::integer) && analysis::is_power_of_two(b.value + 1))
      return of_division(i, a, analysis::constant(b.value + 1), analysis::division_rule::floor_, true, depth);
    return traced_index::result_of(i, value(a, depth), value(b, depth));
  }

  lane_value of_shift(const ptx::instruction& i, int depth) {
    if (!i[2].is(ptx::operand_kind::integer) || i[2].value < 0 || i[2].value > 31)
      return traced_index::result_of(i, value(i[1], depth), value(i[2], depth));
    const auto rule = is_signed_word(i.type()) ? analysis::division_rule::floor_ : analysis::division_rule::unsigned_;
    return of_division(i, i[1], analysis::constant(std::int64_t{1} << i[2].value), rule, false, depth);
  }

  lane_value of_division(const ptx::instruction& i, const ptx::operand& dividend, const lane_value& u,
                         analysis::division_rule rule, bool is_remainder, int depth) {
    if (!u.known) return analysis::unknown();
    if (is_remainder && rule == analysis::division_rule::unsigned_)
      if (const std::optional<lane_value> same = of_remainder_again(i, u, depth)) return *same;
    lane_value x = pure_(dividend);
    // Only where it falls counts of a number with a base, but where the divisor may be 1.
    const bool is_shifted = x.known && x.divisor != 0 && analysis::is_non_negative(x) && is_remainder && x.stride_count == 0;
    if (is_shifted) leaves.add(dividend, x, analysis::gcd(analysis::granularity(u), x.divisor));
    else x = value(dividend, depth);
    if (!x.known) return x;
    const lane_value whole = divided_at_once(i, x, u, rule, is_remainder);
    if (whole.known) return in_register(whole, i);
    if (is_remainder && rule == analysis::division_rule::unsigned_ && is_power_of_two(u))
      rule = analysis::division_rule::floor_;
    const std::uint32_t by = is_division(i) ? (i[2].is_reg() ? i[2].id : static_cast<std::uint32_t>(i[2].value) | 1u << 31)
                                            : static_cast<std::uint32_t>(u.offset[0]) | 1u << 31;
    return in_each_case(i, dividend, by, x, u, rule, is_remainder);
  }

  /// x divided by u, by the case that is chosen; which there are, is told by the registers.
  lane_value in_each_case(const ptx::instruction& i, const ptx::operand& dividend, std::uint32_t by, const lane_value& x,
                          const lane_value& u, analysis::division_rule rule, bool is_remainder) {
    lane_point* own = choices.find(lane_point_kind::division, dividend.id, by);
    if (own == nullptr) {
      const analysis::division_cases cases(x, u, rule);
      if (!cases.is_known()) return analysis::unknown();
      // A divisor of 1 leaves x as it is, and 0 of it.
      const std::int64_t at_least = least_divisor(i);
      const bool has_one = is_run_ && cases.may_be_one(at_least), is_small = cases.may_be_small(at_least);
      findings.has_small = findings.has_small || is_small;
      if (is_small && !(is_run_ && cases.is_dense() && (is_remainder || has_one))) findings.may_divide_small = true;
      const int count = cases.count() + (has_one ? 1 : 0);
      own = choices.add({lane_point_kind::division, dividend.id, by, 0, count, false, cases, std::nullopt, is_small});
    }
    if (own->chosen == own->cases.count()) return is_remainder ? analysis::constant(0) : x;
    return in_register(is_remainder ? own->cases.remainder(own->chosen) : own->cases.quotient(own->chosen), i);
  }

  /// What tg::assume says.
  std::int64_t least_divisor(const ptx::instruction& i) const {
    if (!is_division(i) || !i[2].is_reg()) return 0;
    return flow_.assumed_least(i[2].id, i.type(), flow_.writes(i[0].id).front());
  }

  /// (x % u + c) % u, where all lanes share c: a neighbour on a ring. It is (x + c) % u, and (x + c') % u for any c' that
  /// differs by a multiple of u, so that c' can be taken not to be negative. Requires, as of every index, that the sum x % u +
  /// c does not wrap around; of a constant below 0 it does, and that is not followed.
  std::optional<lane_value> of_remainder_again(const ptx::instruction& i, const lane_value& u, int depth) {
    if (analysis::is_constant(u) || !ptx::computes(i.op, ptx::calculation::rem) || !i[2].is_reg()) return {};
    lane_value added = analysis::constant(0);
    const ptx::instruction* inner = nullptr;
    for (ptx::operand at = i[1]; at.is_reg() && inner == nullptr;) {
      const ptx::instruction* const next = flow_.only_write(at.id);
      if (next == nullptr || next->is_guarded() || next->type() != ptx::token::u32) return {};
      if (ptx::computes(next->op, ptx::calculation::rem) && (*next)[2] == i[2]) {
        inner = next;
      } else if (ptx::computes(next->op, ptx::calculation::copy)) {
        at = (*next)[1];
      } else if ((ptx::computes(next->op, ptx::calculation::add) || ptx::computes(next->op, ptx::calculation::sub)) &&
                 ++depth < most_depth) {
        const bool is_first = ptx::computes(next->op, ptx::calculation::sub) || is_shared((*next)[2]);
        const ptx::operand term = (*next)[is_first ? 2 : 1];
        if (!is_shared(term)) return {};
        const lane_value known = pure_(term);
        const lane_value own = known.known ? known : analysis::uniform(1);
        added = ptx::computes(next->op, ptx::calculation::add) ? analysis::add(added, own) : analysis::sub(added, own);
        at = (*next)[is_first ? 1 : 2];
      } else {
        return {};
      }
    }
    if (inner == nullptr || !added.known || !analysis::is_uniform(added)) return {};
    if (analysis::is_constant(added) && added.offset[0] < 0) return {};
    const bool is_kept = analysis::is_constant(added);
    const lane_value shift =
        is_kept ? added : analysis::uniform(analysis::gcd(analysis::granularity(added), analysis::granularity(u)));
    const lane_value x = pure_((*inner)[1]);
    if (!x.known || !analysis::is_non_negative(x)) return {};
    leaves.add((*inner)[1], x, 0);
    return in_each_case(i, i[1], i[2].id, analysis::add(x, shift), u, analysis::division_rule::unsigned_, true);
  }

  lane_value of_selection(const ptx::instruction& i, int depth) {
    if (!i[3].is_reg()) return analysis::unknown();
    lane_point* own = choices.find(lane_point_kind::selection, i[3].id, 0);
    if (own == nullptr) {
      own = choices.add({.kind = lane_point_kind::selection,
                         .a = i[3].id,
                         .count = 2,
                         .is_per_lane = flow_.varies(i[3].id),
                         .lanes = lanes_with(i[3].id)});
    }
    const bool is_second = (own->chosen != 0) != i[3].negated;
    return value(i[is_second ? 2 : 1], depth);
  }

  /// In which lanes the condition of a selection holds, where that is known of each.
  std::optional<analysis::lane_mask> lanes_with(std::uint32_t condition) {
    const ptx::instruction* const i = flow_.only_write(condition);
    if (i == nullptr || !ptx::computes(i->op, ptx::calculation::compare) || i->is_guarded() || i->operand_count != 3 ||
        i->token_count != 2)
      return {};
    const lane_value a = pure_((*i)[1]), b = pure_((*i)[2]);
    const std::optional<analysis::lane_mask> out = lanes_where(*i, a, b);
    if (!out) return {};
    leaves.add((*i)[1], a, 0);
    leaves.add((*i)[2], b, 0);
    return out;
  }

  /// What a variable holds: what it was given in one place, and a uniform multiple of what is added to it in others.
  lane_value of_variable(std::uint32_t variable, std::uint32_t read, int depth) {
    if (std::find(inside_.begin(), inside_.end(), variable) != inside_.end()) return unknown(ptx::operand::reg(read));
    inside_.push_back(variable);
    const lane_value out = of_writes(variable, read, depth);
    inside_.pop_back();
    return out;
  }

  lane_value of_writes(std::uint32_t variable, std::uint32_t read, int depth) {
    const auto& writes = flow_.writes(variable);
    const auto& at = flow_.writes(read);
    if (writes.empty() || at.size() != 1 || !flow_.are_together(writes.front(), writes.front(), at[0]))
      return analysis::unknown();
    dynamic_array<ptx::operand> starts;
    bool is_per_lane = false;
    std::int64_t step = 0;
    bool is_downward = false;
    for (const std::uint32_t n : writes) {
      const ptx::instruction& i = tape_.fn().body[n];
      if (!ptx::computes(i.op, ptx::calculation::copy) || i.is_guarded() || !i[0].is_reg()) return analysis::unknown();
      const bool is_together = flow_.are_together(writes.front(), n, at[0]);
      lane_value added = analysis::constant(0);
      if (is_step_of(variable, i[1], added, depth)) {
        if (!is_together || !analysis::is_uniform(added)) return analysis::unknown();
        step = analysis::gcd(step, analysis::granularity(added));
        is_downward = is_downward || !analysis::is_non_negative(added);
        continue;
      }
      if (!is_together && !flow_.is_once(writes.front(), n)) return analysis::unknown();
      is_per_lane = is_per_lane || !is_together;
      if (std::find(starts.begin(), starts.end(), i[1]) == starts.end()) starts.push_back(i[1]);
    }
    if (starts.empty() || starts.size() > most_starts) return analysis::unknown();
    int chosen = 0;
    if (starts.size() > 1) {
      lane_point* own = choices.find(lane_point_kind::variable, variable, 0);
      if (own == nullptr) {
        own = choices.add({.kind = lane_point_kind::variable,
                           .a = variable,
                           .count = static_cast<int>(starts.size()),
                           .is_per_lane = is_per_lane});
      }
      chosen = own->chosen;
    }
    const lane_value start = value(starts[static_cast<std::size_t>(chosen)], depth);
    return step == 0 ? start : analysis::add(start, analysis::uniform(step, is_downward));
  }

  /// Whether `o` is a read of the variable and something that is added to it; `added` is what.
  bool is_step_of(std::uint32_t variable, const ptx::operand& o, lane_value& added, int depth) {
    if (!o.is_reg() || depth > most_depth) return false;
    const ptx::instruction* const i = tape_.definition_of(o.id);
    if (i == nullptr) return o.id == variable;
    switch (ptx::calculation_of(i->op)) {
      case ptx::calculation::copy: return is_step_of(variable, (*i)[1], added, depth + 1);
      case ptx::calculation::add:
        for (const std::size_t k : {std::size_t{1}, std::size_t{2}})
          if (is_step_of(variable, (*i)[k], added, depth + 1)) {
            added = analysis::add(added, value((*i)[3 - k], depth + 1));
            return true;
          }
        return false;
      case ptx::calculation::sub:
        if (!is_step_of(variable, (*i)[1], added, depth + 1)) return false;
        added = analysis::sub(added, value((*i)[2], depth + 1));
        return true;
      default: return false;
    }
  }

  bool is_shared(const ptx::operand& x) {
    const lane_value v = pure_(x);
    return v.known ? analysis::is_uniform(v) : x.is_reg() && !flow_.varies(x.id);
  }

  bool is_run(const recorded_request& request) {
    int runs = 0;
    for (int k = 0; k < request.rank; ++k) {
      const index_part& p = request.parts[static_cast<std::size_t>(k)];
      if (p.multiple != 0 || is_shared(p.index)) continue;
      if (++runs > 1 || p.is_multiple || p.step != 1 || !is_run(p.index)) return false;
    }
    return true;
  }

  /// Whether what a division leaves of lanes that count up one by one is all that differs in `o` from lane to lane.
  bool is_run(const ptx::operand& o, int depth = 0) {
    if (!o.is_reg() || depth > most_depth) return false;
    if (pure_(o).known) return true;
    const ptx::instruction* const i = tape_.definition_of(o.id);
    if (i == nullptr) return false;
    switch (ptx::calculation_of(i->op)) {
      case ptx::calculation::copy:
      case ptx::calculation::convert: return is_run((*i)[1], depth + 1);
      case ptx::calculation::add:
        return (is_shared((*i)[1]) && is_run((*i)[2], depth + 1)) || (is_shared((*i)[2]) && is_run((*i)[1], depth + 1));
      case ptx::calculation::sub: return is_shared((*i)[2]) && is_run((*i)[1], depth + 1);
      case ptx::calculation::rem:
      case ptx::calculation::div: return is_shared((*i)[2]) && is_run((*i)[1], depth + 1);
      case ptx::calculation::bit_and:
      case ptx::calculation::shr: return (*i)[2].is(ptx::operand_kind::integer) && is_run((*i)[1], depth + 1);
      case ptx::calculation::select: return is_run((*i)[1], depth + 1) && is_run((*i)[2], depth + 1);
      default: return false;
    }
  }

  tape& tape_;
  recorded_flow& flow_;
  traced_index pure_;
  bool is_run_ = false;
  dynamic_array<std::pair<std::uint32_t, lane_value>> seen_;  // in the case at hand
  dynamic_array<std::uint32_t> inside_;
};

}  // namespace tg::detail
