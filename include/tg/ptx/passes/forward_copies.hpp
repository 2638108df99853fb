// Reads of variables become the value that was written last.
#pragma once

#include <cstdint>
#include <vector>

#include <tg/ptx/passes/registers.hpp>
#include <tg/ptx/passes/versions.hpp>

namespace tg::ptx {

namespace detail {

/// What variables hold at the current place of a walk, where that is known.
class contents {
 public:
  explicit contents(std::size_t registers) : known_(registers) {}

  const operand* find(std::uint32_t variable, std::uint32_t version) const {
    const entry& e = known_[variable];
    return e.value.kind != operand_kind::none && e.version == version ? &e.value : nullptr;
  }

  void set(std::uint32_t variable, std::uint32_t version, const operand& value) {
    known_[variable] = {value, version};
    if (!branches_.empty()) set_.push_back(variable);
  }

  // What a branch learnt holds only inside it.
  void pass(opcode op) {
    if (op == opcode::if_) branches_.push_back(set_.size());
    if (op != opcode::else_ && op != opcode::endif) return;
    for (; set_.size() > branches_.back(); set_.pop_back()) known_[set_.back()].value = {};
    if (op == opcode::endif) branches_.pop_back();
  }

 private:
  struct entry {
    operand value;
    std::uint32_t version = 0;
  };
  std::vector<entry> known_;
  std::vector<std::uint32_t> set_;
  std::vector<std::size_t> branches_;
};

}  // namespace detail

/// Forwards what was written into a variable to its reads, as far as every path agrees.
inline void forward_copies(function& f) {
  const std::vector<register_use> uses = count_uses(f);
  versions version(f, uses);
  detail::contents held(uses.size());
  std::vector<std::uint32_t> same_as(uses.size(), no_index);
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    instruction& i = f.body[n];
    for_each_read(f, i, [&](std::uint32_t& r) {
      if (same_as[r] != no_index) r = same_as[r];
    });
    held.pass(i.op);
    if (!is_copy(i)) {
      version.pass(n);
      continue;
    }
    const std::uint32_t to = i[0].id;
    if (i[1].is_reg() && !i[1].negated && !uses[i[1].id].is_value()) {
      const std::uint32_t from = i[1].id;
      if (const operand* known = held.find(from, version[from])) {
        if (can_replace(f, to, known->is_immediate() ? from : known->id)) i[1] = *known;
      } else if (uses[to].is_value()) {
        held.set(from, version[from], i[0]);
      }
    }
    version.pass(n);
    const bool from_value = i[1].is_immediate() || uses[i[1].id].is_value();
    if (!from_value || i[1].negated) continue;
    if (!uses[to].is_value()) held.set(to, version[to], i[1]);
    else if (i[1].is_reg() && can_replace(f, to, i[1].id)) same_as[to] = i[1].id;
  }
}

}  // namespace tg::ptx
