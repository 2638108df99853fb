// Common subexpressions: what was computed before, on every path to here, is not computed again.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <tg/ptx/passes/registers.hpp>

namespace tg::ptx {

/// Merges equal pure instructions and equal loads of memory that nobody writes. A value computed inside a branch is not
/// known after it; a value that depends on a variable is left alone.
void merge_common(function& f);

namespace detail {

/// Open-addressing table of the expressions known at the current place of a walk.
class expression_table {
 public:
  explicit expression_table(const function& f)
      : f_(f), slots_(std::bit_ceil(2 * f.body.size() + 2)), mask_(static_cast<std::uint32_t>(slots_.size() - 1)) {}

  /// The position of an instruction that computes what the one at `n` does; `n` itself, now known, if there is none.
  std::uint32_t find_or_add(std::uint32_t n) {
    const std::uint32_t hash = hash_of(f_.body[n]);
    std::uint32_t at = hash & mask_;
    for (; slots_[at].position != no_index; at = (at + 1) & mask_)
      if (slots_[at].hash == hash && is_same(f_.body[slots_[at].position], f_.body[n])) return slots_[at].position;
    slots_[at] = {hash, n};
    added_.push_back(at);
    return n;
  }

  void open_branch() { branches_.push_back(added_.size()); }

  /// Forgets what the branch added, last first, which keeps the probe sequences of the others whole.
  void forget_branch() {
    for (; added_.size() > branches_.back(); added_.pop_back()) slots_[added_.back()] = {};
  }

  void close_branch() {
    forget_branch();
    branches_.pop_back();
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
  std::vector<std::uint32_t> added_;
  std::vector<std::size_t> branches_;
};

// Constants are free, groups of sources are rare: neither is worth an entry.
inline bool is_mergeable(const function& f, const std::vector<register_use>& uses, const instruction& i) {
  if (i.is_guarded() || i.operand_count < 2 || result_count(i) != 1) return false;
  if (i.op == opcode::mov && i[1].is_immediate()) return false;
  if (effect_of(i) > effect::reads_constant) return false;
  for (std::size_t k = 1; k < i.operand_count; ++k)
    if (i[k].is(operand_kind::vector) || i[k].is(operand_kind::pair)) return false;
  bool all_values = true;
  const auto check = [&](std::uint32_t r) { all_values = all_values && uses[r].is_value(); };
  for (const operand& o : i.operands()) for_each_register(f, o, check);
  return all_values;
}

}  // namespace detail

inline void merge_common(function& f) {
  const std::vector<register_use> uses = count_uses(f);
  std::vector<std::uint32_t> same_as(uses.size(), no_index);
  detail::expression_table known(f);
  std::vector<std::uint32_t> earlier;
  bool merged = false;
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    instruction& i = f.body[n];
    for_each_read(f, i, [&](std::uint32_t& r) {
      if (same_as[r] != no_index) r = same_as[r];
    });
    if (is_marker(i.op)) {
      if (i.op == opcode::if_) known.open_branch();
      if (i.op == opcode::else_) known.forget_branch();
      if (i.op == opcode::endif) known.close_branch();
      continue;
    }
    if (!detail::is_mergeable(f, uses, i)) continue;
    if (i.op == opcode::mov && i[1].is_reg() && i[0].is_reg() && can_replace(f, i[0].id, i[1].id)) {
      same_as[i[0].id] = i[1].id;
      i = {};
      merged = true;
      continue;
    }
    const std::uint32_t first = known.find_or_add(n);
    if (first == n) continue;
    earlier.clear();
    for_each_written(f, f.body[first], [&](std::uint32_t r) { earlier.push_back(r); });
    bool fits = true;
    std::size_t k = 0;
    for_each_written(f, i,
                     [&](std::uint32_t r) { fits = fits && k < earlier.size() && can_replace(f, r, earlier[k++]); });
    if (!fits || k != earlier.size()) continue;
    k = 0;
    for_each_written(f, i, [&](std::uint32_t r) { same_as[r] = earlier[k++]; });
    i = {};
    merged = true;
  }
  if (merged) drop_empty(f);
}

}  // namespace tg::ptx
