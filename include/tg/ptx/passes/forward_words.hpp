// Words that were taken apart and put together again stay whole: vectors of small elements that are only moved.
#pragma once

#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

namespace detail {

/// `mov {a, b}, word;`, without a guard.
inline bool is_split(const instruction& i) {
  return computes(i.op, calculation::copy) && !i.is_guarded() && i.operand_count == 2 && i[0].is(operand_kind::vector) &&
         i[1].is_reg();
}
/// `mov word, {a, b};`, without a guard.
inline bool is_joining(const instruction& i) {
  return computes(i.op, calculation::copy) && !i.is_guarded() && i.operand_count == 2 && i[0].is_reg() &&
         i[1].is(operand_kind::vector);
}

}  // namespace detail

/// A word that is put together of all parts of another one, each in its place, becomes a copy of that word. The parts stay for
/// their other readers. Parts and words that are written more than once are left alone. Requires: `uses` are those of `f`,
/// their `reads` apart.
inline void forward_words(function& f, const dynamic_array<register_use>& uses) {
  bool has_splits = false, has_joinings = false;
  for (const instruction& i : f.body) {
    has_splits = has_splits || detail::is_split(i);
    has_joinings = has_joinings || detail::is_joining(i);
  }
  if (!has_splits || !has_joinings) return;
  // The word whose part `k` of `count` a register holds, if that is known.
  const auto word_of = [&](const operand& part, std::size_t k, std::size_t count) -> operand {
    if (!is_value(uses, part)) return {};
    const instruction& i = f.body[uses[part.id].definition];
    if (!detail::is_split(i) || !is_value(uses, i[1])) return {};
    const auto taken = f.parts(i[0]);
    return taken.size() == count && taken[k].is_reg() && taken[k].id == part.id ? i[1] : operand{};
  };
  for (instruction& i : f.body) {
    if (!detail::is_joining(i)) continue;
    const auto parts = f.parts(i[1]);
    const operand word = word_of(parts[0], 0, parts.size());
    bool is_whole = word.is_reg() && can_replace(f, i[0].id, word.id);
    for (std::size_t k = 1; is_whole && k < parts.size(); ++k) is_whole = word_of(parts[k], k, parts.size()) == word;
    if (is_whole) i[1] = word;
  }
}

}  // namespace tg::ptx
