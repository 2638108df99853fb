// Innermost counted loops with small bodies do several iterations for one test and one branch.
//
//   loop body(c); c += s; while (c < stop)       becomes, where the number of iterations is not known,
//
//   if (c < limit)  loop body(c); body(c + s); body(c + 2s); body(c + 3s); c += 4s; while (c < limit)
//   if (c < stop)   loop body(c); c += s; while (c < stop)
//
// where limit is stop - 3s. Why that is exact for every c, s and stop, wrap-around included: the pass makes sure that 3s as
// an integer is neither negative nor above the largest signed number, and that limit is not below the type's lowest number L.
//   - limit is max(stop, L + 3s) - 3s. If stop is the larger one, that is stop - 3s >= L, exactly. If not, it is L, and no c is
//     below L. So c < limit means c + 3s < stop as integers: none of c, c + s, c + 2s and c + 3s wraps, and each is below stop.
//     The four iterations are those that the loop would have done.
//   - c + 4s may wrap. It does so in the loop too: both go on with the same number, and the test of the first loop sends it
//     either back, where the argument above holds again, or to the second loop, which is the one that was written.
//   - A step that is a register may be anything. If it is not within 0 and the largest signed number divided by 3, as an
//     unsigned comparison tells, limit is L, and the second loop does everything.
// Where the number of iterations is known and the same in all threads, what four do not divide stands behind the loop,
// without a test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/passes/counted_loops.hpp>

namespace tg::ptx {

/// Requires: structured control flow as it is recorded. A <loop> with a number becomes that many iterations at once, whatever
/// its size, where it counts by a constant above 0, or by a value from in front of it, and has no other loop in it.
/// Returns: the uses of what `f` has become.
dynamic_array<register_use> unroll_loops(function& f);

namespace detail {

class unrolling {
 public:
  explicit unrolling(function& f) : f_(f), uses_(count_uses(f)) {}

  dynamic_array<register_use> run() {
    const dynamic_array<counted_loop> loops = counted_loops(f_, uses_).find();
    if (loops.empty()) return std::move(uses_);
    dynamic_array<instruction> out;
    out.reserve(f_.body.size() * 2);
    std::uint32_t done = 0;
    for (const counted_loop& l : loops) {
      out.insert(out.end(), f_.body.begin() + done, f_.body.begin() + l.begin);
      unroll(l, out);
      done = l.end + 1;
    }
    out.insert(out.end(), f_.body.begin() + done, f_.body.end());
    f_.body = std::move(out);
    return count_uses(f_);
  }

 private:
  instruction& add(dynamic_array<instruction>& out, const counted_loop& l, opcode op, std::initializer_list<token> tokens,
                   std::initializer_list<operand> operands) {
    instruction& made = out.emplace_back(op, tokens, operands);
    made.where = f_.body[l.end].where;
    return made;
  }
  instruction& add(dynamic_array<instruction>& out, const counted_loop& l, const operation& what,
                   std::initializer_list<operand> operands) {
    instruction& made = out.emplace_back(what, operands);
    made.where = f_.body[l.end].where;
    return made;
  }
  operand new_register(token type) { return operand::reg(f_.new_register(type)); }

  /// A copy of the body with registers of its own for what it computes, where the counter is `counter`.
  void copy_body(const counted_loop& l, const operand& counter, dynamic_array<instruction>& out) {
    dynamic_array<std::pair<std::uint32_t, std::uint32_t>> names;  // old and new
    names.reserve(own_.size());
    const auto renamed = [&](std::uint32_t r) {
      const auto known = std::find_if(names.rbegin(), names.rend(), [&](const auto& n) { return n.first == r; });
      return known == names.rend() ? r : known->second;
    };
    for (std::uint32_t n = l.begin + 1; n < l.end; ++n) {
      if (n == l.assignment || (n == l.next && !l.next_is_read) || (n == l.test && !l.test_is_read)) continue;
      instruction i = f_.body[n];
      if (is_copy(i) && i[1].is_reg() && i[1].id == l.counter) i[1] = counter;
      for (operand& o : i.operands())
        if (o.kind == operand_kind::vector || o.kind == operand_kind::pair) {
          const auto own = f_.parts(o);
          const dynamic_array<operand> parts(own.begin(), own.end());
          operand group = f_.new_vector(parts);
          group.kind = o.kind;
          group.base = o.base;
          o = group;
        }
      for_each_read(f_, i, [&](std::uint32_t& r) { r = renamed(r); });
      for_each_written(f_, i, [&](std::uint32_t& r) {
        if (!std::binary_search(own_.begin(), own_.end(), r)) return;
        names.emplace_back(r, f_.new_register(f_.registers[r].type));
        r = names.back().second;
      });
      out.push_back(i);
    }
  }

  operand compute(const counted_loop& l, token result, dynamic_array<instruction>& out, const operation& what,
                  std::initializer_list<operand> sources) {
    const operand made = new_register(result);
    instruction& i = add(out, l, what, {made});
    for (const operand& o : sources) i.add(o);
    return made;
  }

  /// `copies` iterations from the one at which the counter is `first` on. Returns: the counter behind them.
  operand copy_bodies(const counted_loop& l, const operand& first, std::int64_t copies, dynamic_array<instruction>& out) {
    const token type = f_.registers[l.counter].type;
    operand counter = first;
    for (std::int64_t k = 1; k <= copies; ++k) {
      copy_body(l, counter, out);
      counter = l.has_known_step() ? compute(l, type, out, operation::add(l.type), {first, operand::integer(k * l.step.value)})
                                   : compute(l, type, out, operation::add(l.type), {counter, l.step});
    }
    return counter;
  }

  operand read_counter(const counted_loop& l, dynamic_array<instruction>& out) {
    return compute(l, f_.registers[l.counter].type, out, operation::copy(l.type), {operand::reg(l.counter)});
  }

  // With a number, which keeps the machine's assembler from unrolling it again.
  void open_loop(const counted_loop& l, dynamic_array<instruction>& out) {
    instruction& marker =
        out.emplace_back(opcode::loop, std::initializer_list<token>{}, std::initializer_list<operand>{operand::integer(1)});
    marker.where = f_.body[l.begin].where;
  }

  /// The loop over `copies` iterations at once, as long as the counter is below `stop`.
  void repeat(const counted_loop& l, std::int64_t copies, const operand& stop, dynamic_array<instruction>& out) {
    open_loop(l, out);
    const operand next = copy_bodies(l, read_counter(l, out), copies, out);
    add(out, l, operation::copy(l.type), {operand::reg(l.counter), next});
    const operand goes_on = compute(l, token::pred, out, operation::compare(token::lt, l.type), {next, stop});
    add(out, l, opcode::endloop, {}, {goes_on});
  }

  // What the body computes and nobody reads outside of the loop.
  void find_own(const counted_loop& l) {
    dynamic_array<std::uint32_t> read;
    own_.clear();
    for (std::uint32_t n = l.begin + 1; n <= l.end; ++n) {
      for_each_read(f_, f_.body[n], [&](std::uint32_t r) { read.push_back(r); });
      for_each_written(f_, f_.body[n], [&](std::uint32_t r) {
        if (uses_[r].is_value()) own_.push_back(r);
      });
    }
    std::sort(own_.begin(), own_.end());
    std::sort(read.begin(), read.end());
    tg::erase_if(own_, [&](std::uint32_t r) {
      const auto [first, last] = std::equal_range(read.begin(), read.end(), r);
      return static_cast<std::uint32_t>(last - first) != uses_[r].reads;
    });
  }

  void unroll(const counted_loop& l, dynamic_array<instruction>& out) {
    find_own(l);
    if (l.trips) return unroll_known(l, *l.trips, out);
    // In front of the test whether the loop runs at all: there, ptxas has registers that all lanes share.
    std::optional<instruction> test;
    if (!out.empty() && out.back().op == opcode::if_) test = out.back(), out.pop_back();
    const operand limit = make_limit(l, out);
    if (test) out.push_back(*test);
    const operand enters = compute(l, token::pred, out, operation::compare(token::lt, l.type), {read_counter(l, out), limit});
    add(out, l, opcode::if_, {}, {enters});
    repeat(l, l.factor, limit, out);
    add(out, l, opcode::endif, {}, {});
    const operand rest = compute(l, token::pred, out, operation::compare(token::lt, l.type), {read_counter(l, out), l.stop});
    add(out, l, opcode::if_, {}, {rest});
    open_loop(l, out);
    out.insert(out.end(), f_.body.begin() + l.begin + 1, f_.body.begin() + l.end + 1);
    add(out, l, opcode::endif, {}, {});
  }

  /// Below it, `factor` iterations are left.
  operand make_limit(const counted_loop& l, dynamic_array<instruction>& out) {
    const token type = f_.registers[l.counter].type;
    const std::int64_t steps = l.factor - 1;
    if (l.has_known_step()) {
      const operand lead = operand::integer(steps * l.step.value);
      const operand kept = compute(l, type, out, operation::max(l.type), {l.stop, operand::integer(l.lowest() + lead.value)});
      return compute(l, type, out, operation::sub(l.type), {kept, lead});
    }
    const bool is_wide = l.bits() == 64;
    const operand most = operand::integer((is_wide ? INT64_MAX : INT32_MAX) / steps);
    const operand lead = compute(l, type, out, operation::mul_low(l.type), {l.step, operand::integer(steps)});
    const operand least =
        is_signed(l.type) ? compute(l, type, out, operation::add(l.type), {lead, operand::integer(l.lowest())}) : lead;
    const operand kept = compute(l, type, out, operation::max(l.type), {l.stop, least});
    const operand limit = compute(l, type, out, operation::sub(l.type), {kept, lead});
    const operand fits =
        compute(l, token::pred, out, operation::compare(token::le, is_wide ? token::u64 : token::u32), {l.step, most});
    return compute(l, type, out, operation::select(bits_type(l.bits())), {limit, operand::integer(l.lowest()), fits});
  }

  void unroll_known(const counted_loop& l, std::int64_t trips, dynamic_array<instruction>& out) {
    const std::int64_t rounds = trips / l.factor, rest = trips % l.factor;
    // The counter of the last round is the same distance from `stop` in every thread, or nearer.
    if (rounds > 1) repeat(l, l.factor, operand::integer(l.stop.value - rest * l.step.value), out);
    const std::int64_t behind = rounds > 1 ? rest : trips;
    if (behind == 0) return;
    const operand last = copy_bodies(l, read_counter(l, out), behind, out);
    if (counter_is_read_elsewhere(l)) add(out, l, operation::copy(l.type), {operand::reg(l.counter), last});
  }

  // Reads in front of a loop count too: an outer loop comes to them again. A counter that nobody else reads keeps one
  // definition, and what is computed of it can be a number.
  bool counter_is_read_elsewhere(const counted_loop& l) const {
    std::uint32_t inside = 0;
    for (std::uint32_t n = l.begin; n <= l.end; ++n)
      for_each_read(f_, f_.body[n], [&](std::uint32_t r) { inside += r == l.counter; });
    return uses_[l.counter].reads != inside;
  }

  function& f_;
  dynamic_array<register_use> uses_;
  dynamic_array<std::uint32_t> own_;  // registers that each copy of the body has for itself
};

}  // namespace detail

inline dynamic_array<register_use> unroll_loops(function& f) { return detail::unrolling(f).run(); }

}  // namespace tg::ptx
