// How many registers ptxas will give a kernel, before it is asked.
//
// The model: a function is reduced to machine_steps, short branches become guards, loops get their test at the end,
// single-block loops with a constant step are repeated four times as ptxas unrolls them, and each block is put in the
// order of step_schedule. What is
// live, held or odd at the dearest place is fitted to what `ptxas -v` of CUDA 13.0 says of one half of the kernels of
// `./dev bench registers`, which prints the error on both halves. It is a model of a program that is not ours to see.
#pragma once

#include <cmath>
#include <utility>

#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/registers/guard_branches.hpp>
#include <tg/ptx/registers/step_schedule.hpp>

namespace tg::ptx {

/// What is expected of ptxas.
struct register_estimate {
  int in_order = 0;   ///< live at the dearest place, in the order of the text
  int scheduled = 0;  ///< the same when loads are hoisted and loops unrolled
  int expected = 0;   ///< that ptxas reports, at most what its bound allows
  int needed = 0;     ///< below which values are spilled
  bool spills(int bound) const { return needed > bound; }
};

namespace detail {

// The most that any basic block of a function needs.
struct register_facts {
  int in_order = 0;
  block_pressure scheduled;  // where ptxas saves registers
  block_pressure eager;      // if it did not
  int far_stores = 0;        // stores and atomics outside of shared and local memory; of a fragment, its words
};

class register_model {
 public:
  register_model(const function& f, int sm) {
    machine_steps made = to_machine_steps(f, sm);
    steps_ = std::move(made.steps);
    widths_ = std::move(made.widths);
    odd_ = std::move(made.odd);
    guard_branches(steps_, f.label_count);
    definitions_.resize(widths_.size());
    for (const machine_step& s : steps_)
      for (const std::uint32_t r : s.writes) ++definitions_[r];
    find_blocks(f.label_count);
    propagate();
  }

  register_facts run() const {
    register_facts out;
    for (const machine_step& s : steps_)
      if (s.order == step_order::store && s.space != token::shared && s.space != token::local)
        out.far_stores += s.op == opcode::wmma ? static_cast<int>(s.bytes / 4) : 1;
    for (const block& b : blocks_) {
      const std::span<const machine_step> own(steps_.data() + b.begin, b.end - b.begin);
      out.in_order = std::max(out.in_order, pressure_in_order(own, b.out));
      schedule_parts(out, own, b.out);
      if (is_unrolled(b, own)) unroll(out, own, b);
    }
    return out;
  }

 private:
  static constexpr std::size_t most_steps = 600;
  static constexpr std::ptrdiff_t most_unrolled_steps = 36;
  // Registers from which on ptxas begins to save, less what it adds: it would, and where it must.
  static constexpr int target = 25, most = 250;

  struct block {
    std::uint32_t begin = 0, end = 0;
    dynamic_array<std::uint32_t> next;
    live_set in, out;
  };

  using widths = dynamic_array<std::uint8_t>;

  static void schedule(register_facts& to, std::span<const machine_step> own, const widths& all, const widths& odd,
                       const live_set& in, const live_set& out) {
    to.scheduled.add(step_scheduler(own, all, odd, target).peak(in, out));
    to.eager.add(step_scheduler(own, all, odd, most).peak(in, out));
  }

  // A long block in parts: ptxas does not look further either.
  void schedule_parts(register_facts& to, std::span<const machine_step> own, live_set out) const {
    while (!own.empty()) {
      const std::size_t n = std::min(own.size(), most_steps);
      const auto part = own.last(n);
      live_set in = out;
      for (std::size_t k = n; k-- > 0;) step_back(in, part[k]);
      schedule(to, part, widths_, odd_, in, out);
      out = in;
      own = own.first(own.size() - n);
    }
  }

  static bool ends_block(opcode op) { return has_trait(op, trait::jumps | trait::leaves); }

  void find_blocks(std::uint32_t labels) {
    dynamic_array<std::uint32_t> block_of(labels, no_index);
    bool starts = true;
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
      if (starts || steps_[n].op == opcode::label) blocks_.push_back({n, n, {}, live_set(widths_), live_set(widths_)});
      if (steps_[n].op == opcode::label) block_of[steps_[n].label] = static_cast<std::uint32_t>(blocks_.size() - 1);
      blocks_.back().end = n + 1;
      starts = ends_block(steps_[n].op);
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      const machine_step& last = steps_[blocks_[b].end - 1];
      if (has_trait(last.op, trait::branch) && block_of[last.label] != no_index)
        blocks_[b].next.push_back(block_of[last.label]);
      if (last.op == opcode::brx)
        for (std::uint32_t any = 0; any < blocks_.size(); ++any) blocks_[b].next.push_back(any);
      if ((!ends_block(last.op) || last.is_guarded) && b + 1 < blocks_.size()) blocks_[b].next.push_back(b + 1);
    }
  }

  // From after the step to before it.
  void step_back(live_set& live, const machine_step& s) const {
    for (const std::uint32_t r : s.writes)
      if (!s.is_guarded || definitions_[r] == 1) live.erase(r);
    for (const std::uint32_t r : s.reads) live.insert(r);
  }

  void propagate() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;) {
        block& own = blocks_[b];
        for (const std::uint32_t next : own.next) own.out.add(blocks_[next].in);
        live_set live = own.out;
        for (std::uint32_t n = own.end; n-- > own.begin;) step_back(live, steps_[n]);
        changed = own.in.add(live) || changed;
      }
    }
  }

  int pressure_in_order(std::span<const machine_step> own, live_set live) const {
    int peak = live.taken();
    for (std::size_t n = own.size(); n-- > 0;) {
      for (const std::uint32_t r : own[n].writes) live.insert(r);
      peak = std::max(peak, live.taken() + own[n].temporaries);
      step_back(live, own[n]);
      peak = std::max(peak, live.taken());
    }
    return peak;
  }

  // add i, i, 4 with nothing else read.
  static bool is_counting(const machine_step& s) {
    return s.added != 0 && !s.is_guarded && s.writes.size() == 1 && s.reads == s.writes;
  }

  static std::ptrdiff_t size_of(std::span<const machine_step> own) {
    return std::count_if(own.begin(), own.end(), [](const machine_step& s) { return !computes(s.op, calculation::copy); });
  }

  bool is_unrolled(const block& b, std::span<const machine_step> own) const {
    const std::uint32_t self = static_cast<std::uint32_t>(&b - blocks_.data());
    const machine_step& back = own.back();
    if (own.front().keeps_turns) return false;
    if (size_of(own) > most_unrolled_steps || !has_trait(back.op, trait::branch) || !back.is_guarded || back.reads.empty())
      return false;
    if (std::find(b.next.begin(), b.next.end(), self) == b.next.end()) return false;
    for (const machine_step& s : own) {
      const bool is_frame = has_trait(s.op, trait::branch) || s.op == opcode::label;
      if (s.order == step_order::exchange || row_of(s.op).kind == instruction_class::matrix || s.op == opcode::atom)
        return false;
      if (s.order == step_order::fence && !is_frame) return false;
    }
    const auto test = std::find_if(own.begin(), own.end(), [&](const machine_step& s) { return s.writes == back.reads; });
    return test != own.end() && computes(test->op, calculation::compare) &&
           std::any_of(own.begin(), own.end(), [&](const machine_step& s) {
             return is_counting(s) && ends_in_time(*test, s.added, back.is_negated) &&
                    std::find(test->reads.begin(), test->reads.end(), s.writes[0]) != test->reads.end();
           });
  }

  // A loop that goes on until two are equal must be known not to step over that.
  static bool ends_in_time(const machine_step& test, std::int64_t step, bool until) {
    if (test.compare != token::eq) return !(until && test.compare == token::ne);
    return until && test.multiple >= power_in(step);
  }

  // Four turns in one; each has its own values but for those that go from turn to turn, and the last one counts.
  void unroll(register_facts& to, std::span<const machine_step> own, const block& b) const {
    constexpr int turns = 4;
    dynamic_array<machine_step> all;
    widths of_all = widths_, odd = odd_;
    for (int turn = 0; turn < turns; ++turn) {
      const bool is_last = turn + 1 == turns;
      dynamic_array<std::pair<std::uint32_t, std::uint32_t>> renamed;
      const auto rename = [&](std::uint32_t& r) {
        for (const auto& [from, now] : renamed)
          if (from == r) r = now;
      };
      for (const machine_step& s : own) {
        if (s.op == opcode::label ||
            (!is_last && (has_trait(s.op, trait::branch) || computes(s.op, calculation::compare) || is_counting(s))))
          continue;
        machine_step copy = s;
        for (std::uint32_t& r : copy.reads) rename(r);
        rename(copy.base);
        for (std::uint32_t& r : copy.writes) {
          if (is_last || b.in.has(r)) continue;
          const auto known = std::find_if(renamed.begin(), renamed.end(), [&](const auto& p) { return p.first == r; });
          if (known == renamed.end()) {
            renamed.emplace_back(r, static_cast<std::uint32_t>(of_all.size()));
            of_all.push_back(widths_[r]);
            odd.push_back(odd_[r]);
          }
          rename(r);
        }
        all.push_back(std::move(copy));
      }
    }
    live_set in(of_all), out(of_all);
    for (std::uint32_t r = 0; r < widths_.size(); ++r) {
      if (b.in.has(r)) in.insert(r);
      if (b.out.has(r)) out.insert(r);
    }
    schedule(to, all, of_all, odd, in, out);
  }

  dynamic_array<machine_step> steps_;
  widths widths_, odd_;
  dynamic_array<std::uint32_t> definitions_;
  dynamic_array<block> blocks_;
};

// The fit. Up to `plenty` values ptxas does not save, and with 32 registers a multiprocessor is full of threads.
inline double fit_registers(const register_facts& f) {
  constexpr int plenty = 28, most_held = 30, full = 32;
  if (f.in_order <= plenty && std::max(f.eager.held + 1, f.eager.odd) >= full) return full;
  const int beyond = std::max(0, f.in_order - plenty);
  const int early = beyond == 0 ? 0 : std::max(0, f.eager.live - f.in_order);
  const int live = std::min(plenty, std::max(f.scheduled.live, f.in_order));
  const int beside = std::max(0, std::min(most_held, f.scheduled.odd) - live - beyond - 1);
  const int held = std::max(0, std::min(most_held, f.scheduled.held) - std::max(f.scheduled.live, f.in_order));
  return beyond           // values that ptxas cannot do without
         + 4.15           // two that it keeps, the stack pointer, and pairs that begin at even registers
         + 0.90 * live    // the other values
         + 0.08 * early   // loads that come before their turn although many values are there
         + 0.04 * beside  // registers that stay free beside them for odd numbers
         + 0.59 * held    // operands of accesses on their way
         + 1.25 * std::log2(f.far_stores + 1.0);  // each stored value tends to have a register of its own
}

}  // namespace detail

/// What ptxas is expected to make of `f` for sm_`sm` where it may use `bound` registers per thread: those that the
/// directives leave, `analysis::register_cap`. Requires: a flat function.
inline register_estimate estimate_registers(const function& f, int sm, int bound = 255) {
  constexpr int reserved = 2;  // the stack pointer, and one to move with
  const detail::register_facts facts = detail::register_model(f, sm).run();
  const int expected = std::min(bound, static_cast<int>(std::lround(detail::fit_registers(facts))));
  return {facts.in_order, facts.scheduled.live, expected, facts.in_order + reserved};
}

}  // namespace tg::ptx
