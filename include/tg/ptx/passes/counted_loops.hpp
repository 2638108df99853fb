// Loops that count: the same step each time, up to a limit that the loop does not change, and a body that may be repeated.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

/// How many iterations become one.
inline constexpr std::int64_t unroll_factor = 4;
/// Instructions of the largest body that is repeated, copies of registers not counted.
inline constexpr std::uint32_t unrolled_body = 40;
/// Bytes of global memory of the largest body that is repeated that often. Larger ones are repeated half as often: that
/// keeps as much in flight, in fewer registers.
inline constexpr std::uint32_t few_bytes = 8;

/// A loop that counts by the same step each time, with nothing in it that must not be repeated. Places are numbers of
/// instructions in the function.
struct counted_loop {
  std::uint32_t begin = 0, end = 0;  // its markers
  std::uint32_t counter = 0;
  operand step;  // a constant above 0, or a register that the loop does not write
  std::int64_t factor = unroll_factor;
  bool is_asked_for = false;  // by a number at the marker
  operand stop;
  token type = token::none;

  bool has_known_step() const { return step.is(operand_kind::integer); }
  int bits() const { return width_bits(type); }
  /// The lowest number of the type.
  std::int64_t lowest() const { return !is_signed(type) ? 0 : bits() == 64 ? INT64_MIN : INT32_MIN; }

  std::uint32_t test = 0, next = 0, before = 0,
                assignment = 0;                     // where the counter is tested, stepped, read for that, and written
  bool next_is_read = false, test_is_read = false;  // by the body too, whose equal expressions are the same instruction
  std::optional<std::int64_t> trips;                // where it is known and the same in all threads
};

/// Finds the innermost loops of a structured function that count, in their order.
class counted_loops {
 public:
  /// Requires: `uses` are those of `f`.
  counted_loops(const function& f, const dynamic_array<register_use>& uses) : f_(f), uses_(uses) {}

  dynamic_array<counted_loop> find() {
    dynamic_array<counted_loop> out;
    std::uint32_t begin = no_index;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      if (f_.body[n].op == opcode::loop) begin = n;
      if (f_.body[n].op != opcode::endloop || begin == no_index) continue;
      if (auto l = counted(begin, n)) out.push_back(*l);
      begin = no_index;  // what is around it is not innermost
    }
    return out;
  }

 private:
  const instruction* definition(const operand& o) const {
    return o.is_reg() && uses_[o.id].is_value() ? &f_.body[uses_[o.id].definition] : nullptr;
  }
  bool is_inside(const counted_loop& l, const operand& o) const {
    return uses_[o.id].definition > l.begin && uses_[o.id].definition < l.end;
  }

  bool is_invariant(const counted_loop& l, const operand& o) const {
    return o.is_reg() ? uses_[o.id].is_value() && !is_inside(l, o) : o.is(operand_kind::integer);
  }

  std::optional<counted_loop> counted(std::uint32_t begin, std::uint32_t end) const {
    counted_loop l;
    l.begin = begin, l.end = end;
    if (f_.body[begin].operand_count == 1) l.is_asked_for = true, l.factor = f_.body[begin][0].value;
    if (l.factor < 2) return {};
    const instruction& back = f_.body[end];
    if (back.operand_count != 1 || !back[0].is_reg() || back[0].negated) return {};
    const instruction* const test = definition(back[0]);
    if (test == nullptr || !computes(test->op, calculation::compare) || test->operand_count != 3 || test->is_guarded() ||
        test->tokens()[0] != token::lt)
      return {};
    l.type = test->type();
    if (l.type != token::u32 && l.type != token::s32 && l.type != token::u64 && l.type != token::s64) return {};
    const instruction* const next = definition((*test)[1]);
    if (next == nullptr || !computes(next->op, calculation::add) || next->is_guarded()) return {};
    const instruction* const before = definition((*next)[1]);
    if (before == nullptr || !computes(before->op, calculation::copy) || !(*before)[1].is_reg() || before->is_guarded())
      return {};
    l.counter = (*before)[1].id;
    l.step = (*next)[2];
    l.stop = (*test)[2];
    if (l.has_known_step() && (l.step.value <= 0 || l.step.value > (1 << 24))) return {};
    if (!is_invariant(l, l.step) || !is_invariant(l, l.stop)) return {};
    if (!l.has_known_step() && !l.is_asked_for) return {};
    for (const instruction* const i : {test, next, before})
      if (!is_inside(l, (*i)[0])) return {};
    l.test = place(test), l.next = place(next), l.before = place(before);
    l.test_is_read = uses_[(*test)[0].id].reads > 1;                    // by more than the jump
    l.next_is_read = l.test_is_read || uses_[(*next)[0].id].reads > 2;  // by more than the test and the assignment
    if (!is_repeatable(l)) return {};
    const std::optional<counts> known = trips(l);
    if (!known) return l;
    if (known->first != known->second || known->first < 2) return {};  // known, and not the same in all threads
    l.trips = known->first;
    return l;
  }

  std::uint32_t place(const instruction* i) const { return static_cast<std::uint32_t>(i - f_.body.data()); }

  // The body is small, changes the counter once, at its end and outside of branches, and does nothing that is paired
  // with something elsewhere.
  bool is_repeatable(counted_loop& l) const {
    std::uint32_t size = 0, bytes = 0;
    int depth = 0;
    l.assignment = no_index;
    for (std::uint32_t n = l.begin + 1; n < l.end; ++n) {
      const instruction& i = f_.body[n];
      depth += (i.op == opcode::if_) - (i.op == opcode::endif);
      if (!is_copy(i) && i.op != opcode::none) ++size;
      if (is_load(i.op) && i.has(token::global)) bytes += loaded_bytes(i);
      const effect e = effect_of(i);
      if (e == effect::control && !is_marker(i.op) && i.op != opcode::none) return false;
      const bool is_paired =
          e == effect::synchronizes || row_of(i.op).kind == instruction_class::matrix || has_trait(i.op, trait::copies);
      if (is_paired && !l.is_asked_for) return false;
      bool writes = false, reads = false;
      for_each_written(f_, i, [&](std::uint32_t r) { writes = writes || r == l.counter; });
      for_each_read(f_, i, [&](std::uint32_t r) { reads = reads || r == l.counter; });
      if (reads && (!is_copy(i) || !uses_[i[0].id].is_value())) return false;
      if (!writes) continue;
      if (l.assignment != no_index || depth != 0 || !is_copy(i) || i[1] != f_.body[l.next][0]) return false;
      l.assignment = n;
    }
    if (l.assignment == no_index || (size > unrolled_body && !l.is_asked_for)) return false;
    if (bytes > few_bytes && !l.is_asked_for) l.factor = unroll_factor / 2;
    for (std::uint32_t n = l.assignment + 1; n < l.end; ++n)
      if (n != l.test && !(is_copy(f_.body[n]) && f_.body[n][1] != operand::reg(l.counter))) return false;
    return true;
  }

  // Bytes that a load brings to registers which are read. A load that nobody reads counts as 0: one is recorded for each
  // element that is only stored to.
  std::uint32_t loaded_bytes(const instruction& i) const {
    std::uint32_t values = 0;
    for_each_written(f_, i, [&](std::uint32_t r) { values += uses_[r].reads != 0; });
    return values * static_cast<std::uint32_t>(width_bits(i.type())) / 8;
  }

  // Bounds of a number over the threads of the block, where they are known.
  std::optional<std::pair<std::int64_t, std::int64_t>> bounds(const operand& o, int depth = 0) const {
    if (o.is(operand_kind::integer)) return {{o.value, o.value}};
    if (o.is(operand_kind::special)) {
      const auto s = static_cast<special>(o.id);
      if (s < special::tid_x || s > special::tid_z) return {};
      const std::uint32_t extent =
          f_.bounds.required_threads[static_cast<std::size_t>(s) - static_cast<std::size_t>(special::tid_x)];
      if (extent == 0) return {};
      return {{0, std::int64_t{extent} - 1}};
    }
    const instruction* const i = depth < 8 ? definition(o) : nullptr;
    return i != nullptr && computes(i->op, calculation::copy) && !i->is_guarded() ? bounds((*i)[1], depth + 1) : std::nullopt;
  }

  using counts = std::pair<std::int64_t, std::int64_t>;

  /// The most and the fewest iterations of any thread, where they are known.
  std::optional<counts> trips(const counted_loop& l) const {
    if (!l.has_known_step() || !l.stop.is(operand_kind::integer) || uses_[l.counter].definitions != 2) return {};
    // Behind the start of a loop around this one: otherwise the counter has other numbers in its second iteration.
    const instruction* first = nullptr;
    int ended = 0;  // loops between here and there
    for (std::uint32_t n = l.begin; n-- > 0 && first == nullptr && ended >= 0;) {
      const instruction& i = f_.body[n];
      ended += (i.op == opcode::endloop) - (i.op == opcode::loop);
      if (is_copy(i) && i[0].is_reg() && i[0].id == l.counter) first = &i;
    }
    if (ended < 0) return {};
    if (first == nullptr) return {};
    const auto start = bounds((*first)[1]);
    if (!start || start->first < 0 || start->second >= l.stop.value) return {};
    const auto of = [&](std::int64_t from) { return (l.stop.value - from + l.step.value - 1) / l.step.value; };
    return counts{of(start->first), of(start->second)};
  }

  const function& f_;
  const dynamic_array<register_use>& uses_;
};

}  // namespace tg::ptx
