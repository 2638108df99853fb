// Addresses in loops: which parts of base + row * stride + column * size are added first.
//
// One address in an iteration: what the loop does not change is added before it, and one addition is left in it. In a
// long loop, where an addition is little and a register much, it stays as it is. Several
// addresses that differ only in what the loop does not change: they share what it changes, and each adds its own product
// to that, which ptxas makes one instruction of 32-bit registers. Source: ptxas 13.0 for sm_80 and sm_90 keeps products
// that stand outside of the loop in pairs of registers and adds them in two instructions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/hoist_invariants.hpp>
#include <tg/ptx/passes/insertions.hpp>

namespace tg::ptx {

/// Reorders sums of 64-bit addresses in loops; sums wrap around, so every order gives the same. What becomes dead stays
/// for `remove_dead`. Requires: what loops do not change stands in front of them.
void regroup_addresses(function& f);

namespace detail {

class address_regrouping {
 public:
  explicit address_regrouping(function& f) : f_(f), uses_(count_definitions(f)), is_address_(f.registers.size()) {}

  void run() {
    for (const instruction& i : f_.body)
      for (const operand& o : i.operands())
        if (o.is(operand_kind::address) && o.base == operand_kind::reg) is_address_[o.id] = true;
    dynamic_array<std::uint32_t> loops;  // open ones
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      const instruction& i = f_.body[n];
      if (is_marker(i.op)) {
        close_region();
        if (i.op == opcode::loop) loops.push_back(n);
        if (i.op == opcode::endloop) {
          if (n - loops.back() > long_loop) take_back(loops.back());
          loops.pop_back();
        }
      } else if (!loops.empty() && is_sum(i) && is_address_[i[0].id]) {
        note(n, loops.back());
      }
    }
    close_region();
    added_.apply(f_);
  }

 private:
  // base + changing terms + fixed terms
  struct sum {
    std::uint32_t position = 0, loop = 0;
    operand base;
    dynamic_array<operand> changing, fixed;
  };

  // A sum of which parts were moved in front of its loop, as it was.
  struct moved {
    std::uint32_t loop = 0, position = 0;
    instruction before;
  };

  bool is_sum(const instruction& i) const {
    return computes(i.op, calculation::add) && !i.is_guarded() && i.operand_count == 3 && i[0].is_reg() && is_value(i[0]) &&
           i[1].is_reg() && i[2].is_reg() && is_value(i[1]) && is_value(i[2]) && i.token_count == 1 && is_integer(i.type()) &&
           width_bits(i.type()) == 64;
  }
  bool is_value(const operand& o) const { return uses_[o.id].is_value(); }
  std::uint32_t definition(const operand& o) const { return uses_[o.id].definition; }

  void note(std::uint32_t n, std::uint32_t loop) {
    sum own{n, loop, operand::reg(f_.body[n][0].id), {}, {}};
    for (std::uint32_t at = n;; at = definition(own.base)) {
      const operand term = f_.body[at][2];
      (definition(term) > loop ? own.changing : own.fixed).push_back(term);
      own.base = f_.body[at][1];
      if (!is_sum(f_.body[definition(own.base)])) break;
    }
    if (!own.changing.empty() && definition(own.base) < loop) region_.push_back(std::move(own));
  }

  // What was moved in front of a loop that turned out to be long.
  void take_back(std::uint32_t loop) {
    for (const moved& m : moved_)
      if (m.loop == loop) f_.body[m.position] = m.before;
    added_.erase_at(loop);
    tg::erase_if(moved_, [&](const moved& m) { return m.loop == loop; });
  }

  // Sums of one region have run when a later one of it runs.
  void close_region() {
    for (std::size_t k = 0; k < region_.size(); ++k) {
      if (region_[k].changing.empty()) continue;
      dynamic_array<sum> alike;
      for (std::size_t n = k; n < region_.size(); ++n)
        if (region_[n].base == region_[k].base && region_[n].changing == region_[k].changing)
          alike.push_back(n == k ? region_[k] : std::exchange(region_[n], sum{}));
      if (alike.size() == 1) add_fixed_first(alike[0]);
      else add_changing_first(alike);
    }
    region_.clear();
  }

  void add_fixed_first(const sum& s) {
    if (s.fixed.empty() || s.changing.size() != 1) return;
    moved_.push_back({s.loop, s.position, f_.body[s.position]});
    operand at = s.base;
    for (const operand& term : s.fixed) at = add_before(s.loop, s.position, at, term);
    instruction& last = f_.body[s.position];
    last[1] = at;
    last[2] = s.changing[0];
  }

  void add_changing_first(const dynamic_array<sum>& alike) {
    const bool differ = std::any_of(alike.begin(), alike.end(), [](const sum& s) { return !s.fixed.empty(); });
    if (!differ) return;
    const std::uint32_t first = alike[0].position;
    operand common = alike[0].base;
    for (const operand& term : alike[0].changing) common = add(first, first, common, term);
    for (const sum& s : alike) {
      if (s.fixed.empty()) continue;
      operand at = common;
      for (std::size_t k = 0; k + 1 < s.fixed.size(); ++k) at = add(s.position, s.position, at, near(s.fixed[k], s.position));
      const operand term = near(s.fixed.back(), s.position);
      instruction& last = f_.body[s.position];
      last[1] = at;
      last[2] = term;
    }
  }

  // A product that widens is made where it is added.
  operand near(const operand& term, std::uint32_t position) {
    const instruction& made = f_.body[definition(term)];
    if (!computes(made.op, calculation::mul) || !made.has(token::wide) || made.is_guarded()) return term;
    for (std::size_t k = 1; k < 3; ++k)
      if (made[k].is_reg() && !is_value(made[k])) return term;
    return insert(position, position, made);
  }

  // The sum in front of a loop, which several addresses of it may share.
  operand add_before(std::uint32_t loop, std::uint32_t line_of, const operand& a, const operand& b) {
    const operand known = added_.sum_at(loop, operation::add(token::s64), a, b);
    if (known.is_reg()) return known;
    return add(loop, line_of, a, b);
  }
  operand add(std::uint32_t position, std::uint32_t line_of, const operand& a, const operand& b) {
    return insert(position, line_of, instruction(operation::add(token::s64), {operand{}, a, b}));
  }
  operand insert(std::uint32_t position, std::uint32_t line_of, instruction wanted) {
    return added_.compute(f_, position, line_of, token::b64, std::move(wanted));
  }

  function& f_;
  dynamic_array<register_use> uses_;
  dynamic_array<bool> is_address_;
  dynamic_array<sum> region_;
  dynamic_array<moved> moved_;
  unordered_insertions added_;
};

}  // namespace detail

inline void regroup_addresses(function& f) {
  const auto is_loop = [](const instruction& i) { return i.op == opcode::loop; };
  if (std::any_of(f.body.begin(), f.body.end(), is_loop)) detail::address_regrouping(f).run();
}

}  // namespace tg::ptx
