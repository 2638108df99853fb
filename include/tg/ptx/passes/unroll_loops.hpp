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
#include <optional>
#include <utility>
#include <vector>

#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// How many iterations become one.
inline constexpr std::int64_t unroll_factor = 4;
/// Instructions of the largest body that is repeated, copies of registers not counted.
inline constexpr std::uint32_t unrolled_body = 40;
/// Bytes of global memory of the largest body that is repeated that often. Larger ones are repeated half as often: that
/// keeps as much in flight, in fewer registers.
inline constexpr std::uint32_t few_bytes = 8;

/// Requires: structured control flow as it is recorded. A <loop> with a number becomes that many iterations at once, whatever
/// its size, where it counts by a constant above 0, or by a value from in front of it, and has no other loop in it.
void unroll_loops(function& f);

namespace detail {

/// A loop that counts by the same step each time, with nothing in it that must not be repeated.
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

  std::uint32_t test = 0, next = 0, before = 0, assignment = 0;  // where the counter is tested, stepped, read for that, and written
  bool next_is_read = false, test_is_read = false;  // by the body too, whose equal expressions are the same instruction
  std::optional<std::int64_t> trips;  // where it is known and the same in all threads
};

class unrolling {
 public:
  explicit unrolling(function& f) : f_(f) {}

  void run() {
    const std::vector<counted_loop> loops = find();
    if (loops.empty()) return;
    std::vector<instruction> out;
    out.reserve(f_.body.size() * 2);
    std::uint32_t done = 0;
    for (const counted_loop& l : loops) {
      out.insert(out.end(), f_.body.begin() + done, f_.body.begin() + l.begin);
      unroll(l, out);
      done = l.end + 1;
    }
    out.insert(out.end(), f_.body.begin() + done, f_.body.end());
    f_.body = std::move(out);
  }

 private:
  std::vector<counted_loop> find() {
    std::vector<counted_loop> out;
    std::uint32_t begin = no_index;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      if (f_.body[n].op == opcode::loop) begin = n;
      if (f_.body[n].op != opcode::endloop || begin == no_index) continue;
      if (uses_.empty()) uses_ = count_uses(f_);
      if (auto l = counted(begin, n)) out.push_back(*l);
      begin = no_index;  // what is around it is not innermost
    }
    return out;
  }

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
    if (test == nullptr || test->op != opcode::setp || test->operand_count != 3 || test->is_guarded() || test->tokens()[0] != token::lt)
      return {};
    l.type = test->type();
    if (l.type != token::u32 && l.type != token::s32 && l.type != token::u64 && l.type != token::s64) return {};
    const instruction* const next = definition((*test)[1]);
    if (next == nullptr || next->op != opcode::add || next->is_guarded()) return {};
    const instruction* const before = definition((*next)[1]);
    if (before == nullptr || before->op != opcode::mov || !(*before)[1].is_reg() || before->is_guarded()) return {};
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
      if (i.op == opcode::ld && i.has(token::global)) bytes += loaded_bytes(i);
      const effect e = effect_of(i);
      if (e == effect::control && !is_marker(i.op) && i.op != opcode::none) return false;
      const bool is_paired =
          e == effect::synchronizes || row_of(i.op).kind == instruction_class::matrix || i.op == opcode::cp;
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
      const std::uint32_t extent = f_.bounds.required_threads[static_cast<std::size_t>(s) - static_cast<std::size_t>(special::tid_x)];
      if (extent == 0) return {};
      return {{0, std::int64_t{extent} - 1}};
    }
    const instruction* const i = depth < 8 ? definition(o) : nullptr;
    return i != nullptr && i->op == opcode::mov && !i->is_guarded() ? bounds((*i)[1], depth + 1) : std::nullopt;
  }

  using counts = std::pair<std::int64_t, std::int64_t>;

  /// The most and the fewest iterations of any thread, where they are known.
  std::optional<counts> trips(const counted_loop& l) const {
    if (!l.has_known_step() || !l.stop.is(operand_kind::integer) || uses_[l.counter].definitions != 2) return {};
    const instruction* first = nullptr;
    for (std::uint32_t n = l.begin; n-- > 0 && first == nullptr;)
      if (const instruction& i = f_.body[n]; is_copy(i) && i[0].is_reg() && i[0].id == l.counter) first = &i;
    if (first == nullptr) return {};
    const auto start = bounds((*first)[1]);
    if (!start || start->first < 0 || start->second >= l.stop.value) return {};
    const auto of = [&](std::int64_t from) { return (l.stop.value - from + l.step.value - 1) / l.step.value; };
    return counts{of(start->first), of(start->second)};
  }

  instruction& add(std::vector<instruction>& out, const counted_loop& l, opcode op, std::initializer_list<token> tokens,
                   std::initializer_list<operand> operands) {
    instruction& made = out.emplace_back(op, tokens, operands);
    made.where = f_.body[l.end].where;
    return made;
  }
  operand new_register(token type) { return operand::reg(f_.new_register(type)); }

  /// A copy of the body with registers of its own for what it computes, where the counter is `counter`.
  void copy_body(const counted_loop& l, const operand& counter, std::vector<instruction>& out) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> names;  // old and new
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
          const std::vector<operand> parts(own.begin(), own.end());
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

  operand compute(const counted_loop& l, token result, std::vector<instruction>& out, opcode op,
                  std::initializer_list<token> tokens, std::initializer_list<operand> sources) {
    const operand made = new_register(result);
    instruction& i = add(out, l, op, tokens, {made});
    for (const operand& o : sources) i.add(o);
    return made;
  }

  /// `copies` iterations from the one at which the counter is `first` on. Returns: the counter behind them.
  operand copy_bodies(const counted_loop& l, const operand& first, std::int64_t copies, std::vector<instruction>& out) {
    const token type = f_.registers[l.counter].type;
    operand counter = first;
    for (std::int64_t k = 1; k <= copies; ++k) {
      copy_body(l, counter, out);
      counter = l.has_known_step() ? compute(l, type, out, opcode::add, {l.type}, {first, operand::integer(k * l.step.value)})
                                   : compute(l, type, out, opcode::add, {l.type}, {counter, l.step});
    }
    return counter;
  }

  operand read_counter(const counted_loop& l, std::vector<instruction>& out) {
    return compute(l, f_.registers[l.counter].type, out, opcode::mov, {l.type}, {operand::reg(l.counter)});
  }

  // With a number, which keeps the machine's assembler from unrolling it again.
  void open_loop(const counted_loop& l, std::vector<instruction>& out) {
    instruction& marker = out.emplace_back(opcode::loop, std::initializer_list<token>{},
                                           std::initializer_list<operand>{operand::integer(1)});
    marker.where = f_.body[l.begin].where;
  }

  /// The loop over `copies` iterations at once, as long as the counter is below `stop`.
  void repeat(const counted_loop& l, std::int64_t copies, const operand& stop, std::vector<instruction>& out) {
    open_loop(l, out);
    const operand next = copy_bodies(l, read_counter(l, out), copies, out);
    add(out, l, opcode::mov, {l.type}, {operand::reg(l.counter), next});
    const operand goes_on = compute(l, token::pred, out, opcode::setp, {token::lt, l.type}, {next, stop});
    add(out, l, opcode::endloop, {}, {goes_on});
  }

  // What the body computes and nobody reads outside of the loop.
  void find_own(const counted_loop& l) {
    std::vector<std::uint32_t> read;
    own_.clear();
    for (std::uint32_t n = l.begin + 1; n <= l.end; ++n) {
      for_each_read(f_, f_.body[n], [&](std::uint32_t r) { read.push_back(r); });
      for_each_written(f_, f_.body[n], [&](std::uint32_t r) {
        if (uses_[r].is_value()) own_.push_back(r);
      });
    }
    std::sort(own_.begin(), own_.end());
    std::sort(read.begin(), read.end());
    std::erase_if(own_, [&](std::uint32_t r) {
      const auto [first, last] = std::equal_range(read.begin(), read.end(), r);
      return static_cast<std::uint32_t>(last - first) != uses_[r].reads;
    });
  }

  void unroll(const counted_loop& l, std::vector<instruction>& out) {
    find_own(l);
    if (l.trips) return unroll_known(l, *l.trips, out);
    // In front of the test whether the loop runs at all: there, ptxas has registers that all lanes share.
    std::optional<instruction> test;
    if (!out.empty() && out.back().op == opcode::if_) test = out.back(), out.pop_back();
    const operand limit = make_limit(l, out);
    if (test) out.push_back(*test);
    const operand enters = compute(l, token::pred, out, opcode::setp, {token::lt, l.type}, {read_counter(l, out), limit});
    add(out, l, opcode::if_, {}, {enters});
    repeat(l, l.factor, limit, out);
    add(out, l, opcode::endif, {}, {});
    const operand rest = compute(l, token::pred, out, opcode::setp, {token::lt, l.type}, {read_counter(l, out), l.stop});
    add(out, l, opcode::if_, {}, {rest});
    open_loop(l, out);
    out.insert(out.end(), f_.body.begin() + l.begin + 1, f_.body.begin() + l.end + 1);
    add(out, l, opcode::endif, {}, {});
  }

  /// Below it, `factor` iterations are left.
  operand make_limit(const counted_loop& l, std::vector<instruction>& out) {
    const token type = f_.registers[l.counter].type;
    const std::int64_t steps = l.factor - 1;
    if (l.has_known_step()) {
      const operand lead = operand::integer(steps * l.step.value);
      const operand kept = compute(l, type, out, opcode::max, {l.type}, {l.stop, operand::integer(l.lowest() + lead.value)});
      return compute(l, type, out, opcode::sub, {l.type}, {kept, lead});
    }
    const bool is_wide = l.bits() == 64;
    const operand most = operand::integer((is_wide ? INT64_MAX : INT32_MAX) / steps);
    const operand lead = compute(l, type, out, opcode::mul, {token::lo, l.type}, {l.step, operand::integer(steps)});
    const operand least = is_signed(l.type) ? compute(l, type, out, opcode::add, {l.type}, {lead, operand::integer(l.lowest())}) : lead;
    const operand kept = compute(l, type, out, opcode::max, {l.type}, {l.stop, least});
    const operand limit = compute(l, type, out, opcode::sub, {l.type}, {kept, lead});
    const operand fits = compute(l, token::pred, out, opcode::setp, {token::le, is_wide ? token::u64 : token::u32}, {l.step, most});
    return compute(l, type, out, opcode::selp, {bits_type(l.bits())}, {limit, operand::integer(l.lowest()), fits});
  }

  void unroll_known(const counted_loop& l, std::int64_t trips, std::vector<instruction>& out) {
    const std::int64_t rounds = trips / l.factor, rest = trips % l.factor;
    // The counter of the last round is the same distance from `stop` in every thread, or nearer.
    if (rounds > 1) repeat(l, l.factor, operand::integer(l.stop.value - rest * l.step.value), out);
    copy_bodies(l, read_counter(l, out), rounds > 1 ? rest : trips, out);
  }

  function& f_;
  std::vector<register_use> uses_;
  std::vector<std::uint32_t> own_;  // registers that each copy of the body has for itself
};

}  // namespace detail

inline void unroll_loops(function& f) { detail::unrolling(f).run(); }

}  // namespace tg::ptx
