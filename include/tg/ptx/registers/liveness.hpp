// Which registers hold a value that is still read, at each place of a flat function, and the most at one place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/registers/pressure.hpp>

namespace tg::ptx {

/// From the first instruction before which a register is live, or that writes it, to the last such; empty if unused.
struct live_range {
  std::uint32_t first = no_index;
  std::uint32_t last = 0;
  bool is_empty() const { return first == no_index; }
};

/// Liveness over the control-flow graph.
class liveness {
 public:
  /// Requires: a flat function.
  explicit liveness(const function& f) : f_(f), uses_(count_uses(f)), words_((f.registers.size() + 63) / 64) {
    find_blocks();
    summarise();
    propagate();
    measure();
  }

  std::span<const live_range> ranges() const { return ranges_; }

  /// The place with the most 32-bit registers.
  const pressure& peak() const { return peak_; }

  /// 32-bit registers that each instruction needs: the most of before it and after it.
  std::span<const std::uint32_t> registers_at() const { return registers_at_; }

  /// Most predicates live at one place.
  std::uint32_t most_predicates() const { return most_predicates_; }

  /// Whether register `r` is read, on some path from the start of the function, before it is written.
  bool is_read_unwritten(std::uint32_t r) const { return !blocks_.empty() && has(live_in(0), r); }

 private:
  struct block {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t jump = no_index;  // block of the branch target
    bool falls = true;              // into the next block
  };

  static bool ends_block(opcode op) { return has_trait(op, trait::jumps | trait::leaves); }

  std::uint64_t* live_in(std::size_t b) { return in_.data() + b * words_; }
  const std::uint64_t* live_in(std::size_t b) const { return in_.data() + b * words_; }
  static bool has(const std::uint64_t* set, std::uint32_t r) { return (set[r / 64] >> (r % 64) & 1) != 0; }
  static void insert(std::uint64_t* set, std::uint32_t r) { set[r / 64] |= std::uint64_t{1} << (r % 64); }
  static void erase(std::uint64_t* set, std::uint32_t r) { set[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }

  // A guarded write leaves the old value to some lanes, unless there never was one.
  bool kills(const instruction& i, std::uint32_t r) const { return !i.is_guarded() || uses_[r].is_value(); }

  void find_blocks() {
    dynamic_array<std::uint32_t> block_of_label(f_.label_count, no_index);
    bool starts = true;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      const instruction& i = f_.body[n];
      if (starts || i.op == opcode::label) {
        if (!blocks_.empty() && blocks_.back().end == 0) blocks_.back().end = n;
        blocks_.push_back({.begin = n});
      }
      if (i.op == opcode::label) block_of_label[i[0].id] = static_cast<std::uint32_t>(blocks_.size() - 1);
      starts = ends_block(i.op);
      if (starts) blocks_.back().end = n + 1;
    }
    if (!blocks_.empty() && blocks_.back().end == 0) blocks_.back().end = static_cast<std::uint32_t>(f_.body.size());
    for (block& b : blocks_) {
      const instruction& last = f_.body[b.end - 1];
      if (!ends_block(last.op)) continue;
      b.falls = last.is_guarded();
      if (has_trait(last.op, trait::branch)) b.jump = block_of_label[last[0].id];
      if (last.op == opcode::brx) indirect_ = true;
    }
  }

  // Per block: what it reads before writing (in in_) and what it surely writes (in written_).
  void summarise() {
    in_.assign(blocks_.size() * words_, 0);
    written_.assign(blocks_.size() * words_, 0);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      std::uint64_t* const written = written_.data() + b * words_;
      for (std::uint32_t n = blocks_[b].begin; n < blocks_[b].end; ++n) {
        const instruction& i = f_.body[n];
        for_each_read(f_, i, [&](std::uint32_t r) {
          if (!has(written, r)) insert(live_in(b), r);
        });
        for_each_written(f_, i, [&](std::uint32_t r) {
          if (kills(i, r)) insert(written, r);
        });
      }
    }
  }

  std::uint64_t live_out(std::size_t b, std::size_t word) const {
    const block& from = blocks_[b];
    std::uint64_t out = 0;
    if (from.falls && b + 1 < blocks_.size()) out |= live_in(b + 1)[word];
    if (from.jump != no_index) out |= live_in(from.jump)[word];
    if (indirect_ && f_.body[from.end - 1].op == opcode::brx)
      for (std::size_t any = 0; any < blocks_.size(); ++any) out |= live_in(any)[word];
    return out;
  }

  void propagate() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;)
        for (std::size_t w = 0; w < words_; ++w) {
          const std::uint64_t in = live_in(b)[w] | (live_out(b, w) & ~written_[b * words_ + w]);
          changed = changed || in != live_in(b)[w];
          live_in(b)[w] = in;
        }
    }
  }

  template <class Visit> void for_each_live(const std::uint64_t* set, const Visit& visit) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1)
        visit(static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest))));
  }

  void measure() {
    ranges_.assign(f_.registers.size(), {});
    registers_at_.assign(f_.body.size(), 0);
    dynamic_array<std::uint64_t> live(words_);
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      for (std::size_t w = 0; w < words_; ++w) live[w] = live_out(b, w);
      pressure now;
      for_each_live(live.data(), [&](std::uint32_t r) {
        now.change(f_.registers[r].type, +1);
        touch(r, blocks_[b].end - 1);
      });
      for (std::uint32_t n = blocks_[b].end; n-- > blocks_[b].begin;) step(live.data(), now, n);
      for_each_live(live.data(), [&](std::uint32_t r) { touch(r, blocks_[b].begin); });
    }
  }

  // From after instruction n to before it. A result needs its register even if nobody reads it.
  void step(std::uint64_t* live, pressure& now, std::uint32_t n) {
    const instruction& i = f_.body[n];
    const auto begin = [&](std::uint32_t r) {
      touch(r, n);
      if (has(live, r)) return;
      insert(live, r);
      now.change(f_.registers[r].type, +1);
    };
    for_each_written(f_, i, begin);
    note(now, n);
    for_each_written(f_, i, [&](std::uint32_t r) {
      if (!kills(i, r) || !has(live, r)) return;
      erase(live, r);
      now.change(f_.registers[r].type, -1);
    });
    for_each_read(f_, i, begin);
    note(now, n);
  }

  void touch(std::uint32_t r, std::uint32_t n) {
    live_range& range = ranges_[r];
    range.first = std::min(range.first, n);
    range.last = std::max(range.last, n);
  }

  void note(pressure& now, std::uint32_t n) {
    most_predicates_ = std::max(most_predicates_, now.predicates);
    registers_at_[n] = std::max(registers_at_[n], now.registers);
    if (now.registers < peak_.registers) return;  // the first of equals in the text, which is walked from its end
    peak_ = now;
    peak_.instruction = n;
    peak_.where = f_.body[n].where;
  }

  const function& f_;
  dynamic_array<register_use> uses_;
  std::size_t words_;
  dynamic_array<block> blocks_;
  bool indirect_ = false;
  dynamic_array<std::uint64_t> in_, written_;
  dynamic_array<live_range> ranges_;
  dynamic_array<std::uint32_t> registers_at_;
  pressure peak_;
  std::uint32_t most_predicates_ = 0;
};

}  // namespace tg::ptx
