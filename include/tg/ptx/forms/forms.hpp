// Which instructions PTX has: `find_form` says whether a spelling is legal, what its operands are and what it needs.
// The rows are in forms_*.hpp, spelled as the PTX manual spells them; they are compiled to bit sets at first use.
// Source: PTX ISA 9.0, chapter "Instruction Set", checked form by form against ptxas 13.0.
#pragma once

#include <algorithm>
#include <bitset>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/forms/forms_arithmetic.hpp>
#include <tg/ptx/forms/forms_async.hpp>
#include <tg/ptx/forms/forms_control.hpp>
#include <tg/ptx/forms/forms_conversion.hpp>
#include <tg/ptx/forms/forms_matrix.hpp>
#include <tg/ptx/forms/forms_memory.hpp>
#include <tg/ptx/forms/operand_rule.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::ptx {

/// One row of the table, ready to match.
struct form {
  static constexpr std::size_t max_slots = 16;
  struct slot {
    token only = token::none;  // the one token allowed, or `none`: any of `set`
    std::uint16_t set = 0;
    bool optional = false;
  };

  form_row row;
  std::uint8_t slot_count = 0;
  std::uint8_t required_count = 0;  // operands that must be there
  std::uint8_t operand_count = 0;
  fixed_array<slot, max_slots> slots{};
  fixed_array<operand_rule, instruction::max_operands> operands{};

  opcode op() const { return row.op; }
  /// `add.sat.s32 d,a,b` as the table spells it.
  std::string spelling() const {
    std::string out(name(row.op));
    out.append(row.tokens);
    if (*row.operands != '\0') out.append(" ").append(row.operands);
    return out;
  }
};

/// All rows, grouped by opcode.
class form_table {
 public:
  static const form_table& get() {
    static const form_table table;
    return table;
  }

  std::span<const form> of(opcode op) const {
    const range r = ranges_[static_cast<std::size_t>(op)];
    return {forms_.data() + r.first, r.count};
  }
  std::span<const form> all() const { return forms_; }

  /// True where `tokens` are those of `f`, in its order.
  bool matches(const form& f, std::span<const token> tokens) const {
    if (f.slot_count != 0 && !tokens.empty())
      if (const form::slot& last = f.slots[f.slot_count - 1u]; !last.optional && !fits(last, tokens.back())) return false;
    std::size_t at = 0;
    for (std::size_t s = 0; s < f.slot_count; ++s) {
      if (at < tokens.size() && fits(f.slots[s], tokens[at])) ++at;
      else if (!f.slots[s].optional) return false;
    }
    return at == tokens.size() && fits_vector(f, tokens);
  }

  /// The tokens that may stand at `slot`.
  dynamic_array<token> choices(const form::slot& slot) const {
    if (slot.only != token::none) return {slot.only};
    dynamic_array<token> out;
    for (std::size_t t = 0; t < token_count; ++t)
      if (sets_[slot.set][t]) out.push_back(static_cast<token>(t));
    return out;
  }

  /// True where `type` can be the last modifier of `f`.
  bool accepts_type(const form& f, token type) const { return f.slot_count != 0 && fits(f.slots[f.slot_count - 1u], type); }

  /// Puts `tokens` into the order of `f`; false, and nothing done, where they are not those of `f`.
  bool reorder(const form& f, std::span<token> tokens) const {
    fixed_array<token, instruction::max_tokens> sorted{};
    std::size_t count = 0;
    std::uint32_t used = 0;
    for (std::size_t s = 0; s < f.slot_count; ++s) {
      std::size_t at = 0;
      bool past_type = false;  // types keep their order: it says which is the result's
      for (; at < tokens.size(); ++at) {
        if ((used >> at & 1) != 0) continue;
        if (fits(f.slots[s], tokens[at]) && !(past_type && is_type(tokens[at]))) break;
        past_type = past_type || is_type(tokens[at]);
      }
      if (at < tokens.size()) {
        used |= 1u << at;
        sorted[count++] = tokens[at];
      } else if (!f.slots[s].optional) {
        return false;
      }
    }
    if (count != tokens.size() || !fits_vector(f, {sorted.data(), count})) return false;
    std::copy_n(sorted.begin(), count, tokens.begin());
    return true;
  }

 private:
  using token_set = std::bitset<token_count>;
  struct range {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  form_table() {
    add(forms::arithmetic);
    add(forms::asynchronous);
    add(forms::control);
    add(forms::conversion);
    add(forms::matrix);
    add(forms::memory);
    group();
  }

  /// Brings the forms of an opcode together; they keep their order.
  void group() {
    for (const form& f : forms_) ++ranges_[static_cast<std::size_t>(f.op())].count;
    std::uint32_t first = 0;
    for (range& r : ranges_) {
      r.first = first;
      first += std::exchange(r.count, 0);
    }
    dynamic_array<form> grouped(forms_.size());
    for (const form& f : forms_) {
      range& r = ranges_[static_cast<std::size_t>(f.op())];
      grouped[r.first + r.count++] = f;
    }
    forms_ = std::move(grouped);
  }

  template <std::size_t N> void add(const form_row (&rows)[N]) {
    forms_.reserve(forms_.size() + N);
    for (const form_row& row : rows) forms_.push_back(compile(row));
  }

  form compile(const form_row& row) {
    form out{.row = row};
    for (std::string_view rest = row.tokens; !rest.empty();) {
      const bool optional = rest.front() == '[';
      rest.remove_prefix(optional ? 2 : 1);  // "[." or "."
      const std::size_t end = rest.front() == '{' ? rest.find('}') + 1 : rest.find_first_of(".[]");
      const std::string_view word = rest.substr(0, end);
      rest.remove_prefix(word.size() + (optional ? 1 : 0));
      form::slot& slot = out.slots[out.slot_count++];
      slot.optional = optional;
      if (word.front() == '{') slot.set = to_set(word.substr(1, word.size() - 2));
      else slot.only = to_token(word);
    }
    for (std::string_view rest = row.operands; !rest.empty(); ++out.operand_count) {
      operand_rule& rule = out.operands[out.operand_count];
      rule = detail::next_rule(rest);
      if (!rule.optional) out.required_count = static_cast<std::uint8_t>(out.operand_count + 1);
    }
    return out;
  }

  std::uint16_t to_set(std::string_view words) {
    std::size_t at = 0;
    while (at < sets_.size() && words_of_[at] != words) ++at;
    if (at == sets_.size()) {
      words_of_.push_back(words);
      fill(sets_.emplace_back(), words);
    }
    return static_cast<std::uint16_t>(at);
  }

  static void fill(token_set& set, std::string_view words) {
    while (!words.empty()) {
      const std::string_view word = words.substr(0, words.find('|'));
      words.remove_prefix(std::min(words.size(), word.size() + 1));
      if (const std::string_view family = detail::token_family(word); !family.empty()) fill(set, family);
      else set.set(static_cast<std::size_t>(to_token(word)));
    }
  }

  bool fits(const form::slot& slot, token t) const {
    return slot.only != token::none ? slot.only == t : sets_[slot.set][static_cast<std::size_t>(t)];
  }

  /// A vector access is at most 16 bytes and of at most 8-byte elements.
  static bool fits_vector(const form& f, std::span<const token> tokens) {
    if (!f.row.is_vector_access()) return true;
    const int count = vector_length(tokens), bits = width_bits(tokens.back());
    return count == 1 || (bits <= 64 && count * bits <= 128);
  }

  dynamic_array<form> forms_;
  dynamic_array<token_set> sets_;
  dynamic_array<std::string_view> words_of_;  // each set, as the rows write it
  fixed_array<range, std::size(opcode_names)> ranges_{};
};

/// The row that `op.tokens` belongs to, or null. Where several differ in their operands only: the first.
inline const form* find_form(opcode op, std::span<const token> tokens) {
  const form_table& table = form_table::get();
  for (const form& f : table.of(op))
    if (table.matches(f, tokens)) return &f;
  return nullptr;
}

/// Registers in braces stand where `f` wants a vector, a single value where it wants one.
inline bool takes_vectors(const form& f, const instruction& i) {
  for (std::size_t k = 0; k < i.operand_count; ++k)
    if (f.operands[k].kind == operand_class::source &&
        i[k].is(operand_kind::vector) != (part_count(f.operands[k], i.tokens()) > 0))
      return false;
  return true;
}

/// The row of the table for `i`, preferably one with as many operands and vectors as `i` has; null where there is none.
inline const form* find_form(const instruction& i) {
  const form_table& table = form_table::get();
  const form* found = nullptr;
  for (const form& f : table.of(i.op)) {
    if (!table.matches(f, i.tokens())) continue;
    if (i.operand_count >= f.required_count && i.operand_count <= f.operand_count && takes_vectors(f, i)) return &f;
    if (found == nullptr) found = &f;
  }
  return found;
}

/// Puts modifiers written in another order, which ptxas takes too, into the manual's; false where no row has them.
/// The first modifier of some instructions belongs to the name: ptxas takes it only in the first place.
inline bool reorder_tokens(instruction& i) {
  const form_table& table = form_table::get();
  const token first = i.token_array[0];
  const auto is_half = [](token t) { return t == token::lo || t == token::hi || t == token::wide; };
  if (has_trait(i.op, trait::half_first) && std::ranges::any_of(i.tokens(), is_half) && !is_half(first)) return false;
  if (has_trait(i.op, trait::copies) && first != token::async) return false;
  for (const form& f : table.of(i.op))
    if (table.reorder(f, {i.token_array.data(), i.token_count})) return true;
  return false;
}

}  // namespace tg::ptx
