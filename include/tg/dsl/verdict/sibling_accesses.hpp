// Accesses of one view that stand in one line of statements and differ by constants: the three channels of a pixel. Each
// touches more sectors than its own bytes need, and all together use them in full.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/analysis/global.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/recorded_flow.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::detail {

/// Registers that hold the same number since the same was recorded twice: the recorder does not remember all that it has
/// computed.
class alike_registers {
 public:
  explicit alike_registers(tape& t) : tape_(t) {}

  /// The first register asked for that holds the number of this one.
  std::uint32_t first_of(std::uint32_t reg) {
    const auto known =
        std::find_if(all_.begin(), all_.end(), [&](std::uint32_t other) { return are_alike(other, reg, most_depth); });
    if (known != all_.end()) return *known;
    all_.push_back(reg);
    return reg;
  }

 private:
  static constexpr int most_depth = 8;

  bool are_alike(std::uint32_t a, std::uint32_t b, int depth) const {
    if (a == b) return true;
    const ptx::instruction *const i = tape_.definition_of(a), *const j = tape_.definition_of(b);
    if (depth == 0 || i == nullptr || j == nullptr || ptx::effect_of(*i) != ptx::effect::pure || i->is_guarded() ||
        j->is_guarded() || i->op != j->op || i->token_count != j->token_count || i->token_array != j->token_array ||
        i->operand_count != j->operand_count)
      return false;
    for (std::size_t k = 1; k < i->operand_count; ++k) {
      const ptx::operand &x = (*i)[k], &y = (*j)[k];
      if (x.is_reg() && y.is_reg() ? !are_alike(x.id, y.id, depth - 1) || x.negated != y.negated : x != y) return false;
    }
    return true;
  }

  tape& tape_;
  dynamic_array<std::uint32_t> all_;
};

/// An index as a sum of registers times numbers, and a constant.
struct linear_sum {
  dynamic_array<std::pair<std::uint64_t, std::int64_t>> terms;  // in order of the registers
  std::int64_t constant = 0;

  linear_sum(tape& t, alike_registers& alike, const ptx::operand& o) : linear_sum(t, alike, recorded_request::at(o)) {}
  linear_sum(tape& t, alike_registers& alike, const recorded_request& request) {
    for (int k = 0; k < request.rank; ++k) {
      const index_part& p = request.parts[static_cast<std::size_t>(k)];
      const std::int64_t before = constant;
      dimension_ = p.is_multiple ? static_cast<std::uint64_t>(k + 1) << 32 : 0;
      add(t, alike, p.index, p.step, 0);
      if (!p.is_multiple) continue;
      // How far apart rows are nobody knows, so theirs is no constant.
      if (constant != before) terms.emplace_back(dimension_ | ptx::no_index, constant - before);
      constant = before;
    }
    std::sort(terms.begin(), terms.end());
  }

 private:
  void add(tape& t, alike_registers& alike, const ptx::operand& o, std::int64_t by, int depth) {
    if (o.is(ptx::operand_kind::integer)) {
      constant += by * o.value;
      return;
    }
    const ptx::instruction* const i = o.is_reg() ? t.definition_of(o.id) : nullptr;
    const bool is_plain = i != nullptr && depth < 32 && i->operand_count == 3;
    if (is_plain && (ptx::computes(i->op, ptx::calculation::add) || ptx::computes(i->op, ptx::calculation::sub))) {
      add(t, alike, (*i)[1], by, depth + 1);
      return add(t, alike, (*i)[2], ptx::computes(i->op, ptx::calculation::sub) ? -by : by, depth + 1);
    }
    if (is_plain && ptx::computes(i->op, ptx::calculation::mul) && !i->has(ptx::token::hi) &&
        (*i)[2].is(ptx::operand_kind::integer))
      return add(t, alike, (*i)[1], by * (*i)[2].value, depth + 1);
    if (is_plain && ptx::computes(i->op, ptx::calculation::shl) && (*i)[2].is(ptx::operand_kind::integer) && (*i)[2].value < 32)
      return add(t, alike, (*i)[1], by << (*i)[2].value, depth + 1);
    const std::uint64_t reg = dimension_ | (o.is_reg() ? alike.first_of(o.id) : ptx::no_index - 1 - o.id);
    for (auto& known : terms)
      if (known.first == reg) {
        known.second += by;
        return;
      }
    terms.emplace_back(reg, by);
  }

  std::uint64_t dimension_ = 0;
};

struct sibling_group {
  struct member {
    std::uint32_t open;     // number in `tape::open`
    std::int64_t constant;  // in elements
    // The bytes that a lane moves, counted from the address of its index without the constant.
    std::int64_t begin_bytes, end_bytes;
  };
  dynamic_array<member> members;
  // What all members have in common.
  int parameter = -1;
  bool is_write = false;
  std::uint32_t line = 0;
  dynamic_array<std::pair<std::uint64_t, std::int64_t>> terms;

  /// How many accesses they are: the instructions that move one struct are one.
  int accesses() const {
    dynamic_array<std::int64_t> begins;
    for (const member& m : members)
      if (std::find(begins.begin(), begins.end(), m.begin_bytes) == begins.end()) begins.push_back(m.begin_bytes);
    return static_cast<int>(begins.size());
  }
};

/// The groups of accesses that wait for siblings.
inline dynamic_array<sibling_group> sibling_accesses(tape& t, const recorded_flow& flow) {
  dynamic_array<sibling_group> out;
  const dynamic_array<std::uint32_t> lines = flow.lines();
  const auto& body = t.fn().body;
  alike_registers alike(t);
  for (std::size_t n = 0; n < body.size(); ++n) {
    if (body[n].access == ptx::no_index) continue;
    const access& a = t.accesses[body[n].access];
    if (a.open == 0 || t.open[a.open - 1].question != open_question::siblings) continue;
    linear_sum own(t, alike, t.open[a.open - 1].request);
    const bool is_write = a.is_write;
    auto group = std::find_if(out.begin(), out.end(), [&](const sibling_group& g) {
      return g.parameter == a.parameter && g.is_write == is_write && g.line == lines[n] && g.terms == own.terms;
    });
    if (group == out.end()) group = out.insert(out.end(), {{}, a.parameter, is_write, lines[n], std::move(own.terms)});
    const analysis::struct_piece together = t.open[a.open - 1].request.together;
    const std::int64_t begin = own.constant * a.element_bytes + together.offset_bytes;
    const std::int64_t bytes = together.bytes > 0 ? together.bytes : a.access_bytes;
    group->members.push_back({a.open - 1, own.constant, begin, begin + bytes});
  }
  return out;
}

/// Whether the bytes of all members fill the sectors that they touch. `lanes`: the index of the first member in one warp.
inline bool fills_sectors(const sibling_group& group, const analysis::lane_value& lanes,
                          const dynamic_array<open_judgement>& open, analysis::lane_mask active) {
  if (!lanes.known || lanes.xor_bits != 0 || analysis::clamped_term(lanes) >= 0) return false;
  const analysis::row_factors rows{lanes.strides.data(), lanes.stride_count};
  dynamic_array<analysis::byte_run> runs;
  const sibling_group::member& first = group.members.front();
  const int element_bytes = open[first.open].judged.element_bytes;
  for (const sibling_group::member& m : group.members)
    for (int l = 0; l < analysis::warp_lanes; ++l) {
      if ((active >> l & 1) == 0) continue;
      const std::int64_t from = (lanes.offset[l] - first.constant) * element_bytes;
      runs.push_back({from + m.begin_bytes, from + m.end_bytes, l, 0});
    }
  std::sort(runs.begin(), runs.end(), [&](const analysis::byte_run& a, const analysis::byte_run& b) {
    const int order = rows.compare(a.lane, b.lane);
    return order != 0 ? order < 0 : a.begin < b.begin;
  });
  std::int64_t bytes = 0, sectors = 0;
  for (std::size_t first = 0, next = 0; first < runs.size(); first = next) {
    std::int64_t end = runs[first].end;
    for (next = first + 1;
         next < runs.size() && rows.compare(runs[first].lane, runs[next].lane) == 0 && runs[next].begin <= end; ++next)
      end = std::max(end, runs[next].end);
    bytes += end - runs[first].begin;
    sectors += (end - runs[first].begin + analysis::sector_bytes - 1) / analysis::sector_bytes;
  }
  return sectors <= (bytes + analysis::sector_bytes - 1) / analysis::sector_bytes;
}

}  // namespace tg::detail
