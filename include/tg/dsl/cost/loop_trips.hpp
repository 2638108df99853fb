// How often each instruction of a flat function runs in each thread, as far as the text says it.
//
// A loop is a branch back to a label; its count is known when the counter starts at a constant or a coordinate of the
// thread, is stepped by a constant and compared with one, and no thread ends in it. Branches forward are taken to go on:
// what they jump over counts. A loop without a known count that was unrolled is two loops: that over several iterations at
// once counts as not entered, so that one iteration remains.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include <tg/analysis/warp.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

/// One loop of the text.
struct flat_loop {
  std::uint32_t begin = 0, end = 0;  // first and last instruction
  bool is_counted = false;
  dynamic_array<std::uint32_t> trips;  // of each thread of the block; 1 where the loop is not counted
};

/// Finds the loops of a function and their counts.
class loop_trips {
 public:
  /// Requires: a flat function.
  loop_trips(const ptx::function& f, analysis::block_extent block) : f_(f), block_(block), uses_(ptx::count_uses(f)) {
    dynamic_array<std::uint32_t> place(f.label_count, ptx::no_index);
    for (std::uint32_t n = 0; n < f.body.size(); ++n) {
      const ptx::instruction& i = f.body[n];
      if (i.op == ptx::opcode::label) place[i[0].id] = n;
      if (ptx::has_trait(i.op, ptx::trait::branch) && place[i[0].id] != ptx::no_index)
        loops_.push_back(make(place[i[0].id], n));
    }
  }

  const dynamic_array<flat_loop>& loops() const { return loops_; }

  /// How often instruction `n` runs in each thread.
  dynamic_array<std::uint64_t> runs_of(std::uint32_t n) const {
    dynamic_array<std::uint64_t> out(static_cast<std::size_t>(block_.threads()), 1);
    for (const flat_loop& loop : loops_)
      if (loop.begin <= n && n <= loop.end)
        for (std::size_t t = 0; t < out.size(); ++t) out[t] *= loop.trips[t];
    return out;
  }

 private:
  struct counting {
    std::uint32_t counter = 0;
    std::int64_t step = 0, stop = 0;
    ptx::token relation = ptx::token::none;
  };

  flat_loop make(std::uint32_t begin, std::uint32_t end) const {
    flat_loop out{begin, end, false, dynamic_array<std::uint32_t>(static_cast<std::size_t>(block_.threads()), 1)};
    const bool is_left = std::any_of(f_.body.begin() + begin, f_.body.begin() + end, [](const ptx::instruction& i) {
      return i.op == ptx::opcode::exit || i.op == ptx::opcode::ret;
    });
    const std::optional<counting> c = is_left ? std::nullopt : find_counting(begin, end);
    const ptx::instruction* const first = c ? last_write(c->counter, 0, begin) : nullptr;
    if (is_unrolled(begin, end)) {
      out.is_counted = true;  // the loop over the rest stands for both
      std::fill(out.trips.begin(), out.trips.end(), 0u);
      return out;
    }
    if (first == nullptr || uses_[c->counter].definitions != 2 || !ptx::computes(first->op, ptx::calculation::copy)) return out;
    for (int t = 0; t < block_.threads(); ++t) {
      const std::optional<std::int64_t> start = value_in((*first)[1], t);
      if (!start) return out;
      out.trips[static_cast<std::size_t>(t)] = count(*start, *c);
    }
    out.is_counted = true;
    return out;
  }

  // setp.lt p, i, stop; @p bra; where the loop has one add.u32 i, i, step. Or setp.lt p, next, stop; where it has
  // add.u32 next, i, step and mov.u32 i, next.
  std::optional<counting> find_counting(std::uint32_t begin, std::uint32_t end) const {
    const ptx::instruction& back = f_.body[end];
    if (!back.is_guarded() || back.guard_negated) return {};
    const ptx::instruction* const test = last_write(back.guard, begin, end);
    if (test == nullptr || !ptx::computes(test->op, ptx::calculation::compare) || test->operand_count != 3 ||
        test->is_guarded())
      return {};
    if (!(*test)[1].is_reg() || !(*test)[2].is(ptx::operand_kind::integer)) return {};
    const ptx::instruction* const step = last_write((*test)[1].id, begin, end);
    if (step == nullptr || !ptx::computes(step->op, ptx::calculation::add) || step->is_guarded()) return {};
    if (!(*step)[1].is_reg() || !(*step)[2].is(ptx::operand_kind::integer)) return {};
    counting out{(*step)[1].id, 0, (*test)[2].value, test->tokens()[0]};
    if (!((*step)[1] == (*test)[1])) {
      const ptx::instruction* const copy = last_write(out.counter, begin, end);
      if (copy == nullptr || !ptx::computes(copy->op, ptx::calculation::copy) || copy->is_guarded() ||
          !((*copy)[1] == (*test)[1]) || !uses_[(*test)[1].id].is_value())
        return {};
    }
    out.step = (*step)[2].value;
    const bool is_up = (out.relation == ptx::token::lt || out.relation == ptx::token::le) && out.step > 0;
    const bool is_down = (out.relation == ptx::token::gt || out.relation == ptx::token::ge) && out.step < 0;
    if (!is_up && !is_down) return {};
    return out;
  }

  // The bound is max(stop, 3 * step) - 3 * step, as the pass that unrolls computes it; it may have been folded into
  // the sum with a negative number.
  bool is_unrolled(std::uint32_t begin, std::uint32_t end) const {
    const ptx::instruction& back = f_.body[end];
    const ptx::instruction* const test = back.is_guarded() ? last_write(back.guard, begin, end) : nullptr;
    if (test == nullptr || !ptx::computes(test->op, ptx::calculation::compare) || test->operand_count != 3) return false;
    const auto definition = [&](const ptx::operand& o) -> const ptx::instruction* {
      return o.is_reg() && uses_[o.id].is_value() ? &f_.body[uses_[o.id].definition] : nullptr;
    };
    const ptx::instruction* const limit = definition((*test)[2]);
    if (limit == nullptr ||
        (!ptx::computes(limit->op, ptx::calculation::sub) && !ptx::computes(limit->op, ptx::calculation::add)))
      return false;
    const ptx::instruction* const kept = definition((*limit)[1]);
    if (kept == nullptr || !ptx::computes(kept->op, ptx::calculation::max) || !(*limit)[2].is(ptx::operand_kind::integer))
      return false;
    const std::int64_t lead = ptx::computes(limit->op, ptx::calculation::sub) ? (*limit)[2].value : -(*limit)[2].value;
    const std::int64_t lowest = (*kept)[2].value - lead;
    return lead > 0 && (lowest == 0 || lowest == INT32_MIN || lowest == INT64_MIN);
  }

  const ptx::instruction* last_write(std::uint32_t reg, std::uint32_t begin, std::uint32_t end) const {
    for (std::uint32_t n = end; n-- > begin;) {
      bool writes = false;
      ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) { writes = writes || r == reg; });
      if (writes) return &f_.body[n];
    }
    return nullptr;
  }

  // The test comes after the step, so the body runs once at least.
  static std::uint32_t count(std::int64_t start, const counting& c) {
    std::int64_t distance = c.step > 0 ? c.stop - start : start - c.stop;
    if (c.relation == ptx::token::le || c.relation == ptx::token::ge) ++distance;
    const std::int64_t step = c.step > 0 ? c.step : -c.step;
    return distance <= step ? 1 : static_cast<std::uint32_t>((distance + step - 1) / step);
  }

  std::optional<std::int64_t> value_in(const ptx::operand& o, int thread) const {
    if (o.is(ptx::operand_kind::integer)) return o.value;
    if (o.is(ptx::operand_kind::special)) switch (static_cast<ptx::special>(o.id)) {
        case ptx::special::tid_x: return thread % block_.x;
        case ptx::special::tid_y: return thread / block_.x % block_.y;
        case ptx::special::tid_z: return thread / (block_.x * block_.y);
        default: return {};
      }
    if (!o.is_reg() || !uses_[o.id].is_value()) return {};
    const ptx::instruction& definition = f_.body[uses_[o.id].definition];
    if (!ptx::computes(definition.op, ptx::calculation::copy) || definition.is_guarded()) return {};
    return value_in(definition[1], thread);
  }

  const ptx::function& f_;
  analysis::block_extent block_;
  dynamic_array<ptx::register_use> uses_;
  dynamic_array<flat_loop> loops_;
};

}  // namespace tg::detail
