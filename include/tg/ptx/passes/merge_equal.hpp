// Common-subexpression elimination in a function: what was computed before, on every path to here, is not computed again.
// dsl/recorder/known_values.hpp does it before on purpose: that one keeps the recording short, this one merges what passes
// have made equal.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/move_up.hpp>

namespace tg::ptx {

/// Merges equal pure instructions and equal loads of memory that nobody writes; of a + (b + 16) the part a + b too. Integer
/// arithmetic that several branches have in common moves in front of the first of them, when its sources are known there;
/// nothing else that a branch computes is known after it. A value that depends on a variable is left alone.
void merge_equal(function& f);

namespace detail {

/// Open-addressing table of the expressions seen in a walk. A slot is a position and, in the bits that positions leave
/// free, a part of the hash.
class expression_table {
 public:
  explicit expression_table(const function& f)
      : f_(f),
        slots_(std::bit_ceil(2 * f.body.size() + 2), no_index),
        mask_(static_cast<std::uint32_t>(slots_.size() - 1)),
        positions_(static_cast<std::uint32_t>(std::bit_ceil(f.body.size() + 1) - 1)) {}

  /// Where what the instruction at `n` computes is known from: `n` itself where it is the first one.
  std::uint32_t find_or_add(std::uint32_t n) {
    const std::uint64_t hash = hash_of(f_.body[n]);
    const std::uint32_t known = find(f_.body[n], hash);
    if (known != no_index) return known;
    replace(n, tag_of(hash));
    return n;
  }

  /// Where what `i` computes is known from; `no_index` where it is not.
  std::uint32_t find(const instruction& i) { return find(i, hash_of(i)); }

  /// From now on `n` stands for what the last call found.
  void replace(std::uint32_t n) { replace(n, slots_[at_] & ~positions_); }

 private:
  std::uint32_t find(const instruction& i, std::uint64_t hash) {
    const std::uint32_t tag = tag_of(hash);
    for (at_ = static_cast<std::uint32_t>(hash >> 32) & mask_; slots_[at_] != no_index; at_ = (at_ + 1) & mask_) {
      const std::uint32_t position = slots_[at_] & positions_;
      if ((slots_[at_] & ~positions_) == tag && is_same(f_.body[position], i)) return position;
    }
    return no_index;
  }

  std::uint32_t tag_of(std::uint64_t hash) const { return static_cast<std::uint32_t>(hash) & ~positions_; }

  void replace(std::uint32_t n, std::uint32_t tag) { slots_[at_] = tag | n; }

  static bool is_commutative(opcode op) { return has_trait(op, trait::commutative); }

  static std::uint64_t key(const operand& o) {
    return static_cast<std::uint64_t>(o.value) * 31 + (std::uint64_t{o.id} << 16 | static_cast<std::uint64_t>(o.kind) << 8 |
                                                       static_cast<std::uint64_t>(o.base) << 1 | o.negated);
  }

  // The products do not wait for each other.
  static std::uint64_t hash_of(const instruction& i) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ull;
    std::uint64_t h = static_cast<std::uint64_t>(i.op) << 8 | i.token_count;
    for (std::size_t k = 0; k < i.token_count; ++k) h = h * 1031 + static_cast<std::uint64_t>(i.token_array[k]);
    std::size_t k = 1;
    if (is_commutative(i.op)) {
      h += (key(i[1]) + key(i[2])) * factor;
      k = 3;
    }
    for (; k < i.operand_count; ++k) h += key(i[k]) * (factor * (2 * k + 1));
    h *= factor;
    return h ^ h >> 29;
  }

  static bool is_same(const instruction& a, const instruction& b) {
    if (a.op != b.op || a.token_count != b.token_count || a.operand_count != b.operand_count) return false;
    if (a.token_array != b.token_array) return false;
    if (a[0].kind != b[0].kind || (!a[0].is_reg() && a[0].value != b[0].value)) return false;
    for (std::size_t k = 3; k < a.operand_count; ++k)
      if (a[k] != b[k]) return false;
    if (a[1] == b[1] && (a.operand_count < 3 || a[2] == b[2])) return true;
    return is_commutative(a.op) && a[1] == b[2] && a[2] == b[1];
  }

  const function& f_;
  dynamic_array<std::uint32_t> slots_;
  std::uint32_t mask_;
  std::uint32_t positions_;  // the bits of a position; no position has all of them
  std::uint32_t at_ = 0;
};

class merging {
 public:
  explicit merging(function& f)
      : f_(f),
        uses_(count_definitions(f)),
        known_(f),
        name_(uses_.size(), no_index),
        place_(f.body.size()),
        branch_of_(f.body.size()) {
    for (std::uint32_t r = 0; r < name_.size(); ++r)
      if (uses_[r].is_value()) name_[r] = r;
  }

  void run() {
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n) {
      instruction& i = f_.body[n];
      const bool has_known_sources = rename_sources(i);
      place_[n] = n;
      branch_of_[n] = here_;
      switch (i.op) {
        case opcode::if_: open_branch(n, here_); break;
        case opcode::else_: open_branch(branches_[here_].start, close_branch()); break;
        case opcode::endif: here_ = close_branch(); break;
        default:
          if (has_known_sources && is_mergeable(i)) merge(n);
      }
    }
    move_lifted();
  }

 private:
  struct branch {
    std::uint32_t start;  // its `if_`
    std::uint32_t parent;
    bool is_open = true;
  };

  void open_branch(std::uint32_t start, std::uint32_t parent) {
    branches_.push_back({start, parent});
    here_ = static_cast<std::uint32_t>(branches_.size() - 1);
  }

  std::uint32_t close_branch() {
    branches_[here_].is_open = false;
    return branches_[here_].parent;
  }

  // Returns whether no source is a variable.
  bool rename_sources(instruction& i) {
    bool all_known = true;
    const auto rename = [&](std::uint32_t& r) {
      if (name_[r] == no_index) all_known = false;
      else if (name_[r] != r) r = name_[r];
    };
    for_each_read(f_, i, rename);
    return all_known;
  }

  // Constants are free, groups of sources are rare: neither is worth an entry.
  bool is_mergeable(const instruction& i) const {
    if (i.is_guarded() || i.operand_count < 2 || result_count(i) != 1) return false;
    if (computes(i.op, calculation::copy) && i[1].is_immediate()) return false;
    if (effect_of(i) > effect::reads_constant) return false;
    for (std::size_t k = 1; k < i.operand_count; ++k)
      if (is_group(i[k])) return false;
    bool all_values = true;
    for_each_register(f_, i[0], [&](std::uint32_t r) { all_values = all_values && name_[r] != no_index; });
    return all_values;
  }

  void merge(std::uint32_t n) {
    instruction& i = f_.body[n];
    if (computes(i.op, calculation::copy) && i[1].is_reg() && i[0].is_reg() && can_replace(f_, i[0].id, i[1].id)) {
      name_[i[0].id] = i[1].id;
      return i.clear();
    }
    if (computes(i.op, calculation::add)) share_sum(i);
    const std::uint32_t first = known_.find_or_add(n);
    if (first == n) return;
    const auto own = results(i), earlier = results(f_.body[first]);
    const auto fits = [&](const operand& to, const operand& from) {
      return to.is_reg() && from.is_reg() && can_replace(f_, to.id, from.id);
    };
    if (!std::ranges::equal(own, earlier, fits)) return;
    if (!branches_[branch_of_[first]].is_open && !lift(first)) return known_.replace(n);
    for (std::size_t k = 0; k < own.size(); ++k) name_[own[k].id] = earlier[k].id;
    i.clear();
  }

  // a + (b + 16) becomes (a + b) + 16 where a + b is known, and needed as a number: what only addresses are made of may still
  // be taken apart.
  void share_sum(instruction& i) {
    if (i.operand_count != 3 || i.token_count != 1 || !is_integer(i.type()) || !i[1].is_reg() || !i[2].is_reg()) return;
    for (const std::size_t k : {1, 2}) {
      const instruction& inner = f_.body[uses_[i[k].id].definition];
      if (inner.op != i.op || inner.is_guarded() || inner.token_array != i.token_array || !inner[1].is_reg() ||
          !inner[2].is(operand_kind::integer) || inner[0] != i[k] || name_[inner[1].id] == no_index)
        continue;
      instruction shared = i;
      shared[k] = inner[1];
      const std::uint32_t known = known_.find(shared);
      if (known == no_index || !branches_[branch_of_[known]].is_open || !is_number(f_.body[known][0])) continue;
      i[1] = f_.body[known][0];
      i[2] = inner[2];
      return;
    }
  }

  // Whether something else than sums, differences and products that widen reads `o`.
  bool is_number(const operand& o) {
    if (is_number_.empty()) {
      is_number_ = dynamic_array<bool>(uses_.size());
      for (const instruction& i : f_.body)
        if (!is_part_of_address(i)) for_each_read(f_, i, [&](std::uint32_t r) { is_number_[r] = true; });
    }
    return is_number_[o.id];
  }

  static bool is_part_of_address(const instruction& i) {
    const calculation c = calculation_of(i.op);
    return c == calculation::add || c == calculation::sub || (c == calculation::mul && i.has(token::wide));
  }

  static bool is_group(const operand& o) { return o.is(operand_kind::vector) || o.is(operand_kind::pair); }

  std::span<const operand> results(const instruction& i) const {
    return is_group(i[0]) ? std::as_const(f_).parts(i[0]) : i.operands().first(1);
  }

  static bool is_integer_arithmetic(const instruction& i) {
    return has_trait(i.op, trait::cheap) && !is_float(i.type()) && effect_of(i) == effect::pure;
  }

  // From the branches that have ended to the front of the outermost of them.
  bool lift(std::uint32_t n) {
    if (!is_integer_arithmetic(f_.body[n])) return false;
    std::uint32_t around = branch_of_[n], target = n;
    for (; !branches_[around].is_open; around = branches_[around].parent) target = branches_[around].start;
    bool is_known = true;
    for_each_read(f_, f_.body[n], [&](std::uint32_t r) { is_known = is_known && place_[uses_[r].definition] <= target; });
    if (!is_known) return false;
    place_[n] = target;
    branch_of_[n] = around;
    return true;
  }

  // What is between goes on by as many places, up to the next ones that merging has emptied: one's own at the latest.
  void move_lifted() {
    dynamic_array<upward_move> lifted;
    for (std::uint32_t n = 0, end = f_.body_size(); n < end; ++n)
      if (place_[n] != n) lifted.push_back({place_[n], n});
    std::stable_sort(lifted.begin(), lifted.end(), [](const auto& a, const auto& b) { return a.to < b.to; });
    move_up(f_.body, lifted);
  }

  function& f_;
  dynamic_array<register_use> uses_;
  expression_table known_;
  dynamic_array<std::uint32_t> name_;       // the register that has this one's value; `no_index` for a variable
  dynamic_array<std::uint32_t> place_;      // in front of which instruction each one goes: itself, if it stays
  dynamic_array<std::uint32_t> branch_of_;  // of each instruction
  dynamic_array<bool> is_number_;           // empty: not asked for yet
  dynamic_array<branch> branches_ = {{no_index, no_index}};
  std::uint32_t here_ = 0;
};

}  // namespace detail

inline void merge_equal(function& f) { detail::merging(f).run(); }

}  // namespace tg::ptx
