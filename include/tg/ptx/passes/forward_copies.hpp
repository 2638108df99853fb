// Reads of variables become the value that was written last.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/meaning/register_uses.hpp>
#include <tg/ptx/passes/versions.hpp>

namespace tg::ptx {

namespace detail {

/// What variables hold at the current place of a walk, where that is known: the value of which copy.
class contents {
 public:
  explicit contents(std::size_t registers) : known_(registers) {}

  /// The place of the copy, or `no_index`.
  std::uint32_t find(std::uint32_t variable, std::uint32_t version) const {
    const entry& e = known_[variable];
    return e.version == version ? e.copy : no_index;
  }

  void set(std::uint32_t variable, std::uint32_t version, std::uint32_t copy) {
    known_[variable] = {copy, version};
    if (!branches_.empty()) set_.push_back(variable);
  }

  // What a branch learnt holds only inside it.
  void pass(opcode op) {
    if (op == opcode::if_) branches_.push_back(set_.size());
    if (op != opcode::else_ && op != opcode::endif) return;
    for (; set_.size() > branches_.back(); set_.pop_back()) known_[set_.back()].copy = no_index;
    if (op == opcode::endif) branches_.pop_back();
  }

 private:
  struct entry {
    std::uint32_t copy = no_index;
    std::uint32_t version = 0;
  };
  dynamic_array<entry> known_;
  dynamic_array<std::uint32_t> set_;
  dynamic_array<std::size_t> branches_;
};

}  // namespace detail

/// Forwards what was written into a variable to its reads, as far as every path agrees. Every instruction stays in its
/// place. Requires: `uses` are those of `f`.
inline void forward_copies(function& f, const dynamic_array<register_use>& uses) {
  versions version(f, uses);
  detail::contents held(uses.size());
  dynamic_array<std::uint32_t> same_as(uses.size(), no_index);
  for (std::uint32_t n = 0, end = f.body_size(); n < end; ++n) {
    instruction& i = f.body[n];
    for_each_read(f, i, [&](std::uint32_t& r) {
      if (same_as[r] != no_index) r = same_as[r];
    });
    if (!is_copy(i)) {
      if (is_marker(i.op)) held.pass(i.op);
      version.pass(n);
      continue;
    }
    const std::uint32_t to = i[0].id;
    if (i[1].is_reg() && !i[1].negated && version.is_variable(i[1].id)) {
      const std::uint32_t from = i[1].id;
      if (const std::uint32_t copy = held.find(from, version[from]); copy != no_index) {
        const operand& known = f.body[copy][version.is_variable(f.body[copy][0].id) ? 1 : 0];
        if (can_replace(f, to, known.is_immediate() ? from : known.id)) i[1] = known;
      } else if (!version.is_variable(to)) {
        held.set(from, version[from], n);
      }
    }
    version.pass(n);
    const bool from_value = i[1].is_immediate() || !version.is_variable(i[1].id);
    if (!from_value || i[1].negated) continue;
    if (version.is_variable(to)) held.set(to, version[to], n);
    else if (i[1].is_reg() && can_replace(f, to, i[1].id)) same_as[to] = i[1].id;
  }
}

}  // namespace tg::ptx
