// What follows from the head of an instruction, its opcode and modifiers: a kernel of thousands has some sixty heads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::ptx::detail {

/// A `Value` for each opcode with modifiers and a number of operands, made when it is first met.
template <class Value> class head_table {
 public:
  head_table() : slots_(128) { rows_.reserve(slots_.size() / 4); }

  /// The value kept for the head of `i`, made by `make(i)` where the head is new. The next call may move it.
  template <class Make> const Value& of(const instruction& i, Make make) {
    const std::size_t at = place_of(i.token_array, counted(i));
    if (slots_[at] != 0) return rows_[slots_[at] - 1].value;
    rows_.push_back({i.token_array, counted(i), make(i)});
    slots_[at] = static_cast<std::uint32_t>(rows_.size());
    if (4 * rows_.size() > slots_.size()) grow();
    return rows_.back().value;
  }

  std::size_t size() const { return rows_.size(); }

 private:
  using tokens = fixed_array<token, instruction::max_tokens>;

  struct row {
    tokens modifiers;
    std::uint32_t opcode_and_counts;
    Value value;
  };

  static std::uint32_t counted(const instruction& i) {
    return static_cast<std::uint32_t>(i.op) << 16 | static_cast<std::uint32_t>(i.token_count << 8 | i.operand_count);
  }

  static_assert(sizeof(tokens) == 3 * sizeof(std::uint64_t));
  static std::size_t hash(const tokens& modifiers, std::uint32_t opcode_and_counts) {
    const auto word = [&](std::size_t k) {
      std::uint64_t out;
      std::memcpy(&out, modifiers.data() + 4 * k, sizeof out);
      return out;
    };
    const std::uint64_t sum = word(0) * 0x9e3779b97f4a7c15 + word(1) * 0xc2b2ae3d27d4eb4f + word(2) * 0x165667b19e3779f9 +
                              opcode_and_counts * 0xd6e8feb86659fd93;
    return static_cast<std::size_t>(sum >> 32);
  }

  // The slot of a head, or the empty one where it belongs.
  std::size_t place_of(const tokens& modifiers, std::uint32_t opcode_and_counts) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash(modifiers, opcode_and_counts) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) return at;
      const row& own = rows_[slots_[at] - 1];
      if (own.opcode_and_counts == opcode_and_counts &&
          std::memcmp(own.modifiers.data(), modifiers.data(), sizeof modifiers) == 0)
        return at;
    }
  }

  void grow() {
    slots_.assign(2 * slots_.size(), 0);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      slots_[place_of(rows_[r].modifiers, rows_[r].opcode_and_counts)] = static_cast<std::uint32_t>(r + 1);
  }

  dynamic_array<std::uint32_t> slots_;  // number of the row from 1; 0: empty
  dynamic_array<row> rows_;
};

/// What a thread keeps about heads from one module to the next, as kernels have many heads in common: a `Kept` with a member
/// `heads`, its table. It begins anew where texts from elsewhere have brought more heads than kernels have.
template <class Kept> Kept& kept_by_thread() {
  static constexpr std::size_t most_heads = 2048;
  static thread_local Kept kept;
  if (kept.heads.size() > most_heads) kept = Kept();
  return kept;
}

}  // namespace tg::ptx::detail
