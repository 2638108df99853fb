// Common subexpressions: what was computed before, on every path to here, is not computed again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <tg/ptx/passes/insertions.hpp>
#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// Merges equal pure instructions and equal loads of memory that nobody writes. Integer arithmetic that several branches
/// have in common moves in front of the first of them, when its sources are known there; nothing else that a branch
/// computes is known after it. A value that depends on a variable is left alone.
void merge_equal(function& f);

namespace detail {

/// Open-addressing table of the expressions seen in a walk.
class expression_table {
 public:
  explicit expression_table(const function& f)
      : f_(f), slots_(std::bit_ceil(2 * f.body.size() + 2)), mask_(static_cast<std::uint32_t>(slots_.size() - 1)) {}

  /// The entry for what the instruction at `n` computes: a position, that of `n` itself where it is the first one.
  std::uint32_t& find_or_add(std::uint32_t n) {
    const std::uint32_t hash = hash_of(f_.body[n]);
    std::uint32_t at = hash & mask_;
    for (; slots_[at].position != no_index; at = (at + 1) & mask_)
      if (slots_[at].hash == hash && is_same(f_.body[slots_[at].position], f_.body[n])) return slots_[at].position;
    slots_[at] = {hash, n};
    return slots_[at].position;
  }

 private:
  struct slot {
    std::uint32_t hash = 0;
    std::uint32_t position = no_index;
  };

  static bool is_commutative(opcode op) {
    switch (op) {
      case opcode::add: case opcode::mul: case opcode::mad: case opcode::fma: case opcode::min: case opcode::max:
      case opcode::and_: case opcode::or_: case opcode::xor_: return true;
      default: return false;
    }
  }

  static std::uint64_t mix(std::uint64_t h, std::uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 29);
  }

  static std::uint64_t key(const operand& o) {
    return static_cast<std::uint64_t>(o.value) * 31 + (std::uint64_t{o.id} << 16 |
                                                       static_cast<std::uint64_t>(o.kind) << 8 |
                                                       static_cast<std::uint64_t>(o.base) << 1 | o.negated);
  }

  static std::uint32_t hash_of(const instruction& i) {
    std::uint64_t h = static_cast<std::uint64_t>(i.op) << 8 | i.token_count;
    for (std::size_t k = 0; k < i.token_count; ++k) h = h * 1031 + static_cast<std::uint64_t>(i.token_array[k]);
    std::size_t k = 1;
    if (is_commutative(i.op)) {
      h = mix(h, key(i[1]) + key(i[2]));
      k = 3;
    }
    for (; k < i.operand_count; ++k) h = mix(h, key(i[k]));
    return static_cast<std::uint32_t>(h ^ h >> 32);
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
  std::vector<slot> slots_;
  std::uint32_t mask_;
};

class merging {
 public:
  explicit merging(function& f)
      : f_(f), uses_(count_uses(f)), known_(f), same_as_(uses_.size(), no_index), place_(f.body.size()),
        branch_of_(f.body.size()) {}

  void run() {
    for (std::uint32_t n = 0; n < f_.body.size(); ++n) {
      for_each_read(f_, f_.body[n], [&](std::uint32_t& r) {
        if (same_as_[r] != no_index) r = same_as_[r];
      });
      place_[n] = n;
      branch_of_[n] = here_;
      switch (f_.body[n].op) {
        case opcode::if_: open_branch(n, here_); break;
        case opcode::else_: open_branch(branches_[here_].start, close_branch()); break;
        case opcode::endif: here_ = close_branch(); break;
        default:
          if (!is_marker(f_.body[n].op) && is_mergeable(f_.body[n])) merge(n);
      }
    }
    if (merged_) move_lifted();
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

  // Constants are free, groups of sources are rare: neither is worth an entry.
  bool is_mergeable(const instruction& i) const {
    if (i.is_guarded() || i.operand_count < 2 || result_count(i) != 1) return false;
    if (i.op == opcode::mov && i[1].is_immediate()) return false;
    if (effect_of(i) > effect::reads_constant) return false;
    for (std::size_t k = 1; k < i.operand_count; ++k)
      if (i[k].is(operand_kind::vector) || i[k].is(operand_kind::pair)) return false;
    bool all_values = true;
    const auto check = [&](std::uint32_t r) { all_values = all_values && uses_[r].is_value(); };
    for (const operand& o : i.operands()) for_each_register(f_, o, check);
    return all_values;
  }

  void merge(std::uint32_t n) {
    instruction& i = f_.body[n];
    if (i.op == opcode::mov && i[1].is_reg() && i[0].is_reg() && can_replace(f_, i[0].id, i[1].id)) {
      same_as_[i[0].id] = i[1].id;
      return drop(i);
    }
    std::uint32_t& first = known_.find_or_add(n);
    if (first == n) return;
    if (!results_fit(i, f_.body[first])) return;
    if (!branches_[branch_of_[first]].is_open && !lift(first)) {
      first = n;
      return;
    }
    std::size_t k = 0;
    for_each_written(f_, i, [&](std::uint32_t r) { same_as_[r] = earlier_[k++]; });
    drop(i);
  }

  void drop(instruction& i) {
    i = {};
    merged_ = true;
  }

  bool results_fit(const instruction& i, const instruction& first) {
    earlier_.clear();
    for_each_written(f_, first, [&](std::uint32_t r) { earlier_.push_back(r); });
    bool fits = true;
    std::size_t k = 0;
    for_each_written(f_, i, [&](std::uint32_t r) {
      fits = fits && k < earlier_.size() && can_replace(f_, r, earlier_[k++]);
    });
    return fits && k == earlier_.size();
  }

  static bool is_integer_arithmetic(const instruction& i) {
    switch (i.op) {
      case opcode::add: case opcode::sub: case opcode::mul: case opcode::mad: case opcode::shl: case opcode::shr:
      case opcode::and_: case opcode::or_: case opcode::xor_: return !is_float(i.type()) && effect_of(i) == effect::pure;
      default: return false;
    }
  }

  // From the branches that have ended to the front of the outermost of them.
  bool lift(std::uint32_t n) {
    if (!is_integer_arithmetic(f_.body[n])) return false;
    std::uint32_t around = branch_of_[n], target = n;
    for (; !branches_[around].is_open; around = branches_[around].parent) target = branches_[around].start;
    bool is_known = true;
    for_each_read(f_, f_.body[n],
                  [&](std::uint32_t r) { is_known = is_known && place_[uses_[r].definition] <= target; });
    if (!is_known) return false;
    place_[n] = target;
    branch_of_[n] = around;
    return true;
  }

  void move_lifted() {
    std::vector<std::uint32_t> lifted;
    for (std::uint32_t n = 0; n < f_.body.size(); ++n)
      if (place_[n] != n) lifted.push_back(n);
    std::stable_sort(lifted.begin(), lifted.end(), [&](auto a, auto b) { return place_[a] < place_[b]; });
    insertions moved;
    for (const std::uint32_t n : lifted) {
      moved.before(place_[n], f_.body[n]);
      f_.body[n] = {};
    }
    moved.apply(f_);
    if (lifted.empty()) drop_empty(f_);
  }

  function& f_;
  std::vector<register_use> uses_;
  expression_table known_;
  std::vector<std::uint32_t> same_as_;    // the register that has this one's value
  std::vector<std::uint32_t> place_;      // in front of which instruction each one goes: itself, if it stays
  std::vector<std::uint32_t> branch_of_;  // of each instruction
  std::vector<std::uint32_t> earlier_;
  std::vector<branch> branches_ = {{no_index, no_index}};
  std::uint32_t here_ = 0;
  bool merged_ = false;
};

}  // namespace detail

inline void merge_equal(function& f) { detail::merging(f).run(); }

}  // namespace tg::ptx
