// Rows that a loop takes one after the other: of base + row * pitch, with a pitch that the program is given, each iteration
// adds the pitch to the address of the row before.
//
// ptxas makes one instruction of the product and the sum, and one of the sum of an address and a widened pitch. So this costs
// no instruction of the machine, and takes one of PTX away for each row. Source: ptxas 13.0 for sm_80 and sm_90.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/hoist_invariants.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Makes addresses of rows, base + (counter + n) * pitch, sums of the one before and the pitch. Exact: the counter begins at a
/// constant, and the limit of the loop says that no row number wraps around. In long loops addresses stay as they are.
/// Requires: what loops do not change stands in front of them. What becomes dead stays for `remove_dead`.
void walk_rows(function& f);

namespace detail {

class row_walk {
 public:
  explicit row_walk(function& f) : f_(f) {}

  void run() {
    dynamic_array<std::uint32_t> loops;  // open ones
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      if (f_.body[n].op == opcode::loop) loops.push_back(n);
      if (f_.body[n].op != opcode::endloop) continue;
      if (n - loops.back() <= long_loop && has_row(loops.back(), n)) take(loops.back(), n);
      loops.pop_back();
    }
    added_.apply(f_);
  }

 private:
  /// A loop whose counter begins at `first` and grows by `step`; up to `slack` may be added to it in the body.
  struct counted {
    std::uint32_t begin = 0, end = 0, assignment = 0, counter = 0;
    std::int64_t first = 0, step = 0, slack = 0;
    bool is_signed = false;
  };
  /// The sum at `position`, which makes the address of row counter + `offset`.
  struct row {
    std::uint32_t position = 0;
    int depth = 0;  // of branches
    std::int64_t offset = 0;
    operand base, pitch, address;
    token type = token::none;

    bool is_like(const row& other) const { return base == other.base && pitch == other.pitch && type == other.type; }
  };

  static bool is_product(const instruction& i) {
    return computes(i.op, calculation::mul) && i.has(token::wide) && !i.is_guarded() && i[1].is_reg() && i[2].is_reg() &&
           width_bits(i.type()) == 32;
  }
  static bool is_sum(const instruction& i, int bits) {
    return computes(i.op, calculation::add) && i.operand_count == 3 && i.token_count == 1 && !i.is_guarded() && i[0].is_reg() &&
           is_integer(i.type()) && width_bits(i.type()) == bits;
  }
  // Uses are counted where a loop has something to look at.
  bool has_row(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t n = begin; n < end; ++n) {
      if (!is_product(f_.body[n])) continue;
      if (uses_.empty()) uses_ = count_uses(f_);
      return true;
    }
    return false;
  }

  bool is_value(const operand& o) const { return ptx::is_value(uses_, o); }
  const instruction* definition(const operand& o) const { return is_value(o) ? &f_.body[uses_[o.id].definition] : nullptr; }
  bool is_before(const operand& o, const counted& l) const { return is_value(o) && uses_[o.id].definition < l.begin; }

  std::optional<counted> count(std::uint32_t begin, std::uint32_t end) const {
    counted l{begin, end};
    const instruction& back = f_.body[end];
    const instruction* const test = back.operand_count == 1 && !back[0].negated ? definition(back[0]) : nullptr;
    if (test == nullptr || !computes(test->op, calculation::compare) || test->operand_count != 3 || test->is_guarded() ||
        test->tokens()[0] != token::lt || !is_integer(test->type()) || width_bits(test->type()) != 32)
      return {};
    const instruction* const next = definition((*test)[1]);
    if (next == nullptr || !is_sum(*next, 32) || !(*next)[2].is(operand_kind::integer)) return {};
    const instruction* const before = definition((*next)[1]);
    if (before == nullptr || !is_copy(*before) || before->is_guarded() || !(*before)[1].is_reg()) return {};
    l.counter = (*before)[1].id, l.step = (*next)[2].value, l.is_signed = is_signed(test->type());
    if (uses_[(*test)[1].id].definition < begin || uses_[(*next)[1].id].definition < begin) return {};

    // An iteration runs where counter + slack is below a number, so that up to that nothing wraps around.
    if (const instruction* const limit = definition((*test)[2]);
        limit != nullptr && is_sum(*limit, 32) && uses_[(*test)[2].id].definition < begin &&
        (*limit)[2].is(operand_kind::integer) && (*limit)[2].value < 0) {
      const instruction* const most = definition((*limit)[1]);
      const std::int64_t less = -(*limit)[2].value;
      if (most != nullptr && most->op == operation::max(test->type()).op && most->type() == test->type() &&
          !most->is_guarded() && (*most)[2].is(operand_kind::integer) && (*most)[2].value >= less && less < 1 << 16)
        l.slack = less;
    } else if (!(*test)[2].is(operand_kind::integer) && !is_before((*test)[2], l)) {
      return {};
    }
    if (l.step < 1) return {};

    const auto first = first_of(l);
    if (!first || *first < 0 || *first > 1 << 24 || !is_plain(l)) return {};
    l.first = *first;
    return l;
  }

  // The constant that the counter begins at: nothing between its assignment and the loop ends or begins a branch but those
  // around the loop.
  std::optional<std::int64_t> first_of(const counted& l) const {
    for (std::uint32_t n = l.begin; n-- > 0;) {
      const instruction& i = f_.body[n];
      if (is_marker(i.op) && i.op != opcode::if_) return {};
      bool writes = false;
      for_each_written(f_, i, [&](std::uint32_t r) { writes = writes || r == l.counter; });
      if (!writes) continue;
      if (!is_copy(i) || i.is_guarded() || !i[1].is(operand_kind::integer)) return {};
      return i[1].value;
    }
    return {};
  }
  // The body assigns to the counter once, outside of branches, what the test looks at, and ends nowhere else.
  bool is_plain(counted& l) const {
    const instruction& test = *definition(f_.body[l.end][0]);
    int depth = 0;
    l.assignment = no_index;
    for (std::uint32_t n = l.begin + 1; n < l.end; ++n) {
      const instruction& i = f_.body[n];
      depth += (i.op == opcode::if_) - (i.op == opcode::endif);
      const bool is_branch = i.op == opcode::if_ || i.op == opcode::else_ || i.op == opcode::endif || i.op == opcode::none;
      if (!is_branch && (is_marker(i.op) || effect_of(i) == effect::control)) return false;
      bool writes = false;
      for_each_written(f_, i, [&](std::uint32_t r) { writes = writes || r == l.counter; });
      if (!writes) continue;
      if (l.assignment != no_index || depth != 0 || !is_copy(i) || i.is_guarded() || i[1] != test[1]) return false;
      l.assignment = n;
    }
    return l.assignment != no_index;
  }

  // What is added to the counter in `o`.
  std::optional<std::int64_t> offset_of(const operand& o, const counted& l) const {
    const instruction* const i = definition(o);
    if (i == nullptr || uses_[o.id].definition < l.begin || uses_[o.id].definition > l.assignment) return {};
    if (is_copy(*i) && !i->is_guarded() && (*i)[1] == operand::reg(l.counter)) return 0;
    if (!is_sum(*i, 32) || !(*i)[2].is(operand_kind::integer) || (*i)[2].value < 0) return {};
    const auto own = offset_of((*i)[1], l);
    return own && *own + (*i)[2].value <= l.slack ? std::optional(*own + (*i)[2].value) : std::nullopt;
  }

  void take(std::uint32_t begin, std::uint32_t end) {
    const auto l = count(begin, end);
    if (!l) return;
    dynamic_array<row> rows;
    int depth = 0;
    for (std::uint32_t n = begin + 1; n < l->assignment; ++n) {
      const instruction& i = f_.body[n];
      depth += (i.op == opcode::if_) - (i.op == opcode::endif);
      if (!is_sum(i, 64) || !is_value(i[0])) continue;
      for (const bool is_second : {true, false}) {
        const operand& term = is_second ? i[2] : i[1];
        const operand& base = is_second ? i[1] : i[2];
        const instruction* const product = definition(term);
        if (product == nullptr || uses_[term.id].reads != 1 || !is_product(*product) || !is_before(base, *l)) continue;
        const bool is_pitch_second = is_before((*product)[2], *l);
        const operand pitch = (*product)[is_pitch_second ? 2 : 1];
        const auto offset = offset_of((*product)[is_pitch_second ? 1 : 2], *l);
        // A counter without a sign may be negative to a product with one.
        if (!offset || !is_before(pitch, *l) || (is_signed(product->type()) && !l->is_signed)) continue;
        rows.push_back({n, depth, *offset, base, pitch, i[0], product->type()});
        break;
      }
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      if (rows[k].position == 0) continue;
      dynamic_array<row> alike;
      for (std::size_t n = k; n < rows.size(); ++n)
        if (rows[n].position != 0 && rows[n].is_like(rows[k])) {
          alike.push_back(rows[n]);
          if (n != k) rows[n].position = 0;
        }
      if (is_in_order(alike, l->step)) walk(*l, alike);
    }
  }

  // Each row is the next one, of this iteration or of the one behind it.
  static bool is_in_order(const dynamic_array<row>& rows, std::int64_t step) {
    for (std::size_t k = 1; k < rows.size(); ++k)
      if (rows[k].offset != rows[k - 1].offset + 1) return false;
    return rows.front().offset + step == rows.back().offset + 1;
  }

  void walk(const counted& l, const dynamic_array<row>& rows) {
    const row& first = rows.front();
    const auto in_front = [&](instruction what) {
      return added_.compute(f_, l.begin, first.position, token::b64, std::move(what));
    };
    const auto pitches = [&](std::int64_t n) {
      return in_front({operation::mul_wide(first.type), {operand{}, first.pitch, operand::integer(n)}});
    };
    operand start = first.base;
    if (const std::int64_t begin = l.first + first.offset; begin != 0)
      start = in_front({operation::add(token::s64), {operand{}, start, pitches(begin)}});
    const operand pointer = in_front({operation::copy(token::b64), {operand{}, start}});

    // The addresses keep their registers. Where all rows are taken each is made of the one before; where branches take some,
    // each is made there, of the first, so that an iteration which takes none adds once.
    const bool is_chain = std::all_of(rows.begin(), rows.end(), [](const row& own) { return own.depth == 0; });
    const operand pitch = is_chain ? pitches(1) : operand{};
    for (const row& own : rows) {
      const std::int64_t behind = own.offset - first.offset;
      instruction made = behind == 0 ? instruction(operation::copy(token::b64), {own.address, pointer})
                         : is_chain  ? instruction(operation::add(token::s64), {own.address, (&own - 1)->address, pitch})
                                     : instruction(operation::add(token::s64), {own.address, pointer, pitches(behind)});
      made.where = f_.body[own.position].where;
      f_.body[own.position] = made;
    }
    const operand next =
        added_.compute(f_, l.assignment, l.assignment, token::b64,
                       {operation::add(token::s64),
                        {operand{}, is_chain ? rows.back().address : pointer, is_chain ? pitch : pitches(l.step)}});
    instruction assign(operation::copy(token::b64), {pointer, next});
    assign.where = f_.body[l.assignment].where;
    added_.before(l.assignment, assign);
  }

  function& f_;
  dynamic_array<register_use> uses_;
  unordered_insertions added_;
};

}  // namespace detail

inline void walk_rows(function& f) {
  const auto is_loop = [](const instruction& i) { return i.op == opcode::loop; };
  if (std::any_of(f.body.begin(), f.body.end(), is_loop)) detail::row_walk(f).run();
}

}  // namespace tg::ptx
