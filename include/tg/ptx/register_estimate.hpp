// How many registers ptxas will give a kernel, before it is asked.
//
// The model: a function is reduced to machine_steps, its single-block loops with a constant step are repeated four times
// as ptxas unrolls them, each block is put in the order of step_schedule, and what is live at the dearest place is fitted
// to what `ptxas -v` of CUDA 13.0 said of 180 kernels at sm_80 and sm_90. It is a model of a program that is not ours to
// see: `./dev bench registers` prints its error, about a sixth of the count on average.
#pragma once

#include <cmath>
#include <utility>

#include <tg/ptx/step_schedule.hpp>

namespace tg::ptx {

/// What is expected of ptxas.
struct register_estimate {
  int in_order = 0;   ///< live at the dearest place, in the order of the text
  int scheduled = 0;  ///< the same when loads are hoisted and loops unrolled
  int expected = 0;   ///< that ptxas reports where nothing bounds it
  int needed = 0;     ///< below which values are spilled
  bool spills(int bound) const { return needed > bound; }
};

namespace detail {

class register_model {
 public:
  explicit register_model(const function& f) : steps_(to_machine_steps(f)) {
    for (const register_info& r : f.registers) widths_.push_back(width_of(r.type));
    definitions_.resize(f.registers.size());
    for (const machine_step& s : steps_)
      for (const std::uint32_t r : s.writes) ++definitions_[r];
    find_blocks(f.label_count);
    propagate();
  }

  register_estimate run(int sm) {
    register_estimate out;
    for (const block& b : blocks_) {
      const std::span<const machine_step> own(steps_.data() + b.begin, b.end - b.begin);
      out.in_order = std::max(out.in_order, pressure_in_order(own, b.out));
      out.scheduled = std::max(out.scheduled, most_steps < own.size() ? pressure_in_order(own, b.out) : scheduled(own, b));
      if (is_unrolled(b, own)) out.scheduled = std::max(out.scheduled, unrolled(own, b));
    }
    // What is hoisted is spent up to the 32 registers with which a multiprocessor is full; the rest of the fit is the
    // stack pointer, pairs that begin at even registers, and fragments.
    const int hoisted = std::min(out.scheduled, plenty) - std::min(out.in_order, plenty);
    const double fitted = out.in_order + 5 + (sm >= 90 ? 1 : 0) + 1.2 * std::max(0, hoisted);
    out.expected = std::min(255, static_cast<int>(std::lround(fitted)));
    out.needed = out.in_order + reserved;
    return out;
  }

 private:
  static constexpr std::size_t most_steps = 600, most_unrolled_steps = 50;
  static constexpr int plenty = 28;
  static constexpr int target = 24;   // registers from which on ptxas begins to save, less what it adds
  static constexpr int reserved = 2;  // the stack pointer, and one to move with

  struct block {
    std::uint32_t begin = 0, end = 0;
    std::vector<std::uint32_t> next;
    live_set in, out;
  };

  static std::uint8_t width_of(token t) {
    const int bits = width_bits(t);
    return static_cast<std::uint8_t>(bits == 1 ? 0 : bits == 64 ? 2 : bits == 128 ? 4 : 1);
  }

  static bool ends_block(opcode op) {
    return op == opcode::bra || op == opcode::brx || op == opcode::ret || op == opcode::exit || op == opcode::trap;
  }

  void find_blocks(std::uint32_t labels) {
    std::vector<std::uint32_t> block_of(labels, no_index);
    bool starts = true;
    for (std::uint32_t n = 0; n < steps_.size(); ++n) {
      if (starts || steps_[n].op == opcode::label) blocks_.push_back({n, n, {}, live_set(widths_), live_set(widths_)});
      if (steps_[n].op == opcode::label) block_of[steps_[n].label] = static_cast<std::uint32_t>(blocks_.size() - 1);
      blocks_.back().end = n + 1;
      starts = ends_block(steps_[n].op);
    }
    for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
      const machine_step& last = steps_[blocks_[b].end - 1];
      if (last.op == opcode::bra && block_of[last.label] != no_index) blocks_[b].next.push_back(block_of[last.label]);
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

  int scheduled(std::span<const machine_step> own, const block& b) const {
    return step_scheduler(own, widths_, target).peak(b.in, b.out);
  }

  // add i, i, 4 with nothing else read.
  static bool is_counting(const machine_step& s) {
    return s.adds_constant && !s.is_guarded && s.writes.size() == 1 && s.reads == s.writes;
  }

  bool is_unrolled(const block& b, std::span<const machine_step> own) const {
    const std::uint32_t self = static_cast<std::uint32_t>(&b - blocks_.data());
    const machine_step& back = own.back();
    if (own.size() > most_unrolled_steps || back.op != opcode::bra || !back.is_guarded || back.reads.empty()) return false;
    if (std::find(b.next.begin(), b.next.end(), self) == b.next.end()) return false;
    for (const machine_step& s : own) {
      const bool is_frame = s.op == opcode::bra || s.op == opcode::label;
      if (s.order == step_order::exchange || s.op == opcode::mma || s.op == opcode::wmma || s.op == opcode::atom) return false;
      if (s.order == step_order::fence && !is_frame) return false;
    }
    const auto test = std::find_if(own.begin(), own.end(), [&](const machine_step& s) { return s.writes == back.reads; });
    return test != own.end() && test->op == opcode::setp && std::any_of(own.begin(), own.end(), [&](const machine_step& s) {
             return is_counting(s) && std::find(test->reads.begin(), test->reads.end(), s.writes[0]) != test->reads.end();
           });
  }

  // Four turns in one; each has its own values but for those that go from turn to turn, and the last one counts.
  int unrolled(std::span<const machine_step> own, const block& b) {
    constexpr int turns = 4;
    std::vector<machine_step> all;
    std::vector<std::uint8_t> widths = widths_;
    for (int turn = 0; turn < turns; ++turn) {
      const bool is_last = turn + 1 == turns;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> renamed;
      const auto rename = [&](std::uint32_t& r) {
        for (const auto& [from, to] : renamed)
          if (from == r) r = to;
      };
      for (const machine_step& s : own) {
        if (s.op == opcode::label || (!is_last && (s.op == opcode::bra || s.op == opcode::setp || is_counting(s)))) continue;
        machine_step copy = s;
        for (std::uint32_t& r : copy.reads) rename(r);
        for (std::uint32_t& r : copy.writes) {
          if (is_last || b.in.has(r)) continue;
          const auto known = std::find_if(renamed.begin(), renamed.end(), [&](const auto& p) { return p.first == r; });
          if (known == renamed.end()) {
            renamed.emplace_back(r, static_cast<std::uint32_t>(widths.size()));
            widths.push_back(widths_[r]);
          }
          rename(r);
        }
        all.push_back(std::move(copy));
      }
    }
    live_set in(widths), out(widths);
    for (std::uint32_t r = 0; r < widths_.size(); ++r) {
      if (b.in.has(r)) in.insert(r);
      if (b.out.has(r)) out.insert(r);
    }
    return step_scheduler(all, widths, target).peak(in, out);
  }

  std::vector<machine_step> steps_;
  std::vector<std::uint8_t> widths_;
  std::vector<std::uint32_t> definitions_;
  std::vector<block> blocks_;
};

}  // namespace detail

/// What ptxas is expected to make of `f` for sm_`sm`. Requires: a flat function.
inline register_estimate estimate_registers(const function& f, int sm) { return detail::register_model(f).run(sm); }

}  // namespace tg::ptx
