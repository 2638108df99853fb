// What one operand of a selection is computed from and nothing else needs: the reads among it, and what depends on them.
//
// Candidates are looked at from the selection backward, so that all who need a result are known when the instruction that
// makes it comes up. A branch or a loop, as `tg::sin` records one, is one candidate. It writes variables: those that nothing
// outside of the candidates names move with it, and all their assignments too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/body_facts.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::detail {

class read_cone {
 public:
  using index = body_facts::index;

  read_cone(const ptx::function& f, body_facts& facts)
      : f_(f), facts_(facts), counts_(facts.registers()), writes_(facts.registers()), is_(facts.registers()) {}

  /// The stretches that only `o`, an operand of the instruction `at`, needs, in their order: those that read memory, and what
  /// depends on them. `end`: what stands between them and this place must not write what they read.
  /// Cost: in proportion to what is computed for `o` alone.
  dynamic_array<stretch> operator()(const ptx::operand& o, index at, index end) {
    if (!o.is_reg() || facts_[o.id].definitions != 1) return {};
    block_ = facts_.block_of(at);
    end_ = end;
    has_read_ = has_variable_ = false;
    count(o.id);
    open(facts_[o.id].definition);
    for (index before = at; !open_.empty();) {
      const stretch s{open_.top().first, open_.top().second};
      open_.pop();
      if (s.first >= before) continue;
      before = s.first;
      if (take(s)) found_.push_back(s);
    }
    dynamic_array<stretch> out;
    if (has_read_) {
      if (has_variable_) drop_shared();
      out = moving();
    }
    reset();
    return out;
  }

  /// A plain load that was checked.
  static bool is_read(const ptx::instruction& i) {
    return ptx::is_load(i.op) && i.access != ptx::no_index && ptx::effect_of(i) <= ptx::effect::reads_memory;
  }

 private:
  enum : std::uint8_t { is_touched = 1, is_own = 2, is_foreign = 4, is_made = 8 };

  template <class Visit> void for_each_instruction(const stretch& s, const Visit& visit) const {
    for (index n = s.first; n <= s.last; ++n)
      if (!facts_.is_dead(n)) visit(f_.body[n]);
  }
  template <class Visit> void for_each_read(const stretch& s, const Visit& visit) const {
    for_each_instruction(s, [&](const ptx::instruction& i) { ptx::for_each_read(f_, i, visit); });
  }
  template <class Visit> void for_each_written(const stretch& s, const Visit& visit) const {
    for_each_instruction(s, [&](const ptx::instruction& i) { ptx::for_each_written(f_, i, visit); });
  }

  void touch(std::uint32_t r) {
    if (is_[r] == 0) touched_.push_back(r);
    is_[r] |= is_touched;
  }
  void count(std::uint32_t r) {
    touch(r);
    ++counts_[r];
  }
  void reset() {
    for (const std::uint32_t r : touched_) counts_[r] = writes_[r] = is_[r] = 0;
    touched_.clear();
    found_.clear();
  }

  void open(index n) {
    if (const stretch s = facts_.stretch_of(n, block_); s.first != ptx::no_index) open_.emplace(s.first, s.last);
  }

  // Whether `s` may be done in front of `end_`, for this operand alone. It then counts among those that need a register.
  bool take(const stretch& s) {
    if (facts_.has_effect(s) || (s.first != s.last && has_other_readers(s))) return false;
    for_each_read(s, [&](std::uint32_t r) { count(r); });
    const bool reads_too_late = facts_.has_write(s.last + 1, end_);
    bool fits = true, has_read = false;
    for_each_instruction(s, [&](const ptx::instruction& i) {
      has_read = has_read || is_read(i);
      fits = fits && !i.is_guarded() && !(reads_too_late && ptx::effect_of(i) == ptx::effect::reads_memory);
      ptx::for_each_written(f_, i, [&](std::uint32_t r) {
        fits = fits && (facts_.is_variable(r) ? belongs(r, s) : counts_[r] == facts_[r].reads);
      });
      ptx::for_each_read(f_, i, [&](std::uint32_t r) {
        fits = fits && (!facts_.is_variable(r) || belongs(r, s) || !facts_.is_written(r, s.first, end_));
      });
    });
    if (!fits) {
      for_each_read(s, [&](std::uint32_t r) { --counts_[r]; });
      const auto give_up = [&](std::uint32_t r) {
        if (!facts_.is_variable(r) || !s.contains(facts_[r].last)) return;
        touch(r);
        is_[r] = is_touched | is_foreign;
      };
      for_each_read(s, give_up);
      for_each_written(s, give_up);
      return false;
    }
    has_read_ = has_read_ || has_read;
    const auto follow = [&](std::uint32_t r) {
      if ((is_[r] & is_own) != 0) facts_.for_each_definition(r, [&](index n) { follow_to(n, s); });
      else if (!facts_.is_variable(r) && facts_[r].definitions == 1) follow_to(facts_[r].definition, s);
    };
    for_each_read(s, follow);
    for_each_written(s, follow);
    return true;
  }

  void follow_to(index n, const stretch& s) {
    if (!s.contains(n)) open(n);
  }

  // Found early, so that a long loop with many results is not walked to its end for each of them.
  bool has_other_readers(const stretch& s) const {
    for (index n = s.first; n <= s.last; ++n) {
      if (facts_.is_dead(n)) continue;
      bool others = false;
      ptx::for_each_written(f_, f_.body[n], [&](std::uint32_t r) {
        others = others || (facts_[r].reads != 0 && facts_[r].last > s.last && counts_[r] == 0);
      });
      if (others) return true;
    }
    return false;
  }

  // Whether variable `r` may belong to the operand. Those that name it later have been seen, so that the last is in `s`.
  bool belongs(std::uint32_t r, const stretch& s) {
    touch(r);
    if ((is_[r] & (is_own | is_foreign)) == 0) is_[r] |= s.contains(facts_[r].last) ? is_own : is_foreign;
    has_variable_ = has_variable_ || (is_[r] & is_own) != 0;
    return (is_[r] & is_own) != 0;
  }

  // Takes out what a variable needs that is named elsewhere too, and what others then need.
  void drop_shared() {
    for (const stretch& s : found_) for_each_written(s, [&](std::uint32_t r) { touch(r), ++writes_[r]; });
    const auto is_shared = [&](std::uint32_t r) {
      return counts_[r] != facts_[r].reads || writes_[r] != facts_[r].definitions;
    };
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      erase_if(found_, [&](const stretch& s) {
        bool goes = false;
        for_each_written(s, [&](std::uint32_t r) { goes = goes || is_shared(r); });
        for_each_read(s, [&](std::uint32_t r) { goes = goes || ((is_[r] & is_own) != 0 && is_shared(r)); });
        if (!goes) return false;
        is_changed = true;
        for_each_written(s, [&](std::uint32_t r) { --writes_[r]; });
        for_each_read(s, [&](std::uint32_t r) { --counts_[r]; });
        return true;
      });
    }
  }

  // What reads, what depends on it, and what names a variable of the operand, in the order of the record.
  dynamic_array<stretch> moving() {
    std::reverse(found_.begin(), found_.end());
    dynamic_array<stretch> out;
    bool has_read = false;
    for (const stretch& s : found_) {
      bool moves = false;
      const auto look = [&](std::uint32_t r) { moves = moves || (is_[r] & (is_made | is_own)) != 0; };
      for_each_instruction(s, [&](const ptx::instruction& i) {
        if (is_read(i)) moves = has_read = true;
      });
      for_each_read(s, look);
      for_each_written(s, look);
      if (!moves) continue;
      out.push_back(s);
      for_each_written(s, [&](std::uint32_t r) { is_[r] |= is_made; });
    }
    if (!has_read) out.clear();
    return out;
  }

  const ptx::function& f_;
  body_facts& facts_;
  index block_ = 0, end_ = 0;
  bool has_read_ = false, has_variable_ = false;
  dynamic_array<index> counts_, writes_;  // of each register: how often those that were found read it, and write it
  dynamic_array<std::uint8_t> is_;
  dynamic_array<std::uint32_t> touched_;
  dynamic_array<stretch> found_;  // from the end
  std::priority_queue<std::pair<index, index>> open_;
};

}  // namespace tg::detail
