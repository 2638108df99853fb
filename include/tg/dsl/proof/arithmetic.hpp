// Integer arithmetic on forms, as instructions do it.
//
// Operations on numbers are exact on the integers (`operation`); what none describes is data: a number of which only
// the width is known. A form that is computed on a way is meant for the threads that come that way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/numbers.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/passes/evaluate.hpp>

namespace tg::proof {

/// Integer arithmetic on forms.
class arithmetic {
 public:
  arithmetic(symbols& s, const numbers& n) : symbols_(s), numbers_(n) {}

  /// What an instruction makes of numbers: exact on the integers, or nothing, where only the width is known.
  std::optional<form> of(const ptx::instruction& i, const form& a, const form& b, const form& c) {
    const int bits = ptx::width_bits(i.type());
    if (a.is_exact() && b.is_exact() && c.is_exact())
      if (const auto& known = each_thread_once(i, a, b, c)) return known;
    switch (ptx::calculation_of(i.op)) {
      case ptx::calculation::shr:
        if (!b.is_number() || b.base < 0) return std::nullopt;
        if (b.base >= std::min(bits, 60)) return std::nullopt;
        return divided(a, number{1} << b.base);
      case ptx::calculation::div:
        if (b.is_number() && b.base > 0 && lowest(a) >= 0) return divided(a, b.base);
        return symbols_.computed(operation::truncated_quotient, a, b, quotient_limit(a, b, false), quotient_limit(a, b, true));
      case ptx::calculation::rem:
        if (b.is_number() && b.base > 0 && lowest(a) >= 0) return remainder(a, b.base);
        if (b.is_number() && b.base > 0) return symbols_.computed(operation::truncated_remainder, a, b, 1 - b.base, b.base - 1);
        if (lowest(a) < 0 || lowest(b) < 0) return std::nullopt;
        if (lowest(b) > 0)
          return symbols_.computed(operation::truncated_remainder, a, b, 0, std::min(highest(a), highest(b) - 1));
        if (!is_small_unsigned(i)) return std::nullopt;
        return symbols_.computed(operation::truncated_remainder, a, b, 0, most_of(bits));
      case ptx::calculation::bit_and:
        if (lowest(a) < 0 || lowest(b) < 0) return std::nullopt;
        return symbols_.computed(operation::bit_and, a, b, 0, std::min(highest(a), highest(b)));
      case ptx::calculation::bit_or:
      case ptx::calculation::bit_xor: {
        if (lowest(a) < 0 || lowest(b) < 0 || highest(a) >= unbounded || highest(b) >= unbounded) return std::nullopt;
        number most = 1;
        while (most <= highest(a) || most <= highest(b)) most *= 2;
        return symbols_.computed(ptx::computes(i.op, ptx::calculation::bit_or) ? operation::bit_or : operation::bit_xor, a, b,
                                 ptx::computes(i.op, ptx::calculation::bit_or) ? std::max(lowest(a), lowest(b)) : 0, most - 1);
      }
      case ptx::calculation::min:
        if (highest(a) <= lowest(b)) return a;
        if (highest(b) <= lowest(a)) return b;
        return symbols_.computed(operation::minimum, a, b, std::min(lowest(a), lowest(b)), std::min(highest(a), highest(b)));
      case ptx::calculation::max:
        if (highest(a) <= lowest(b)) return b;
        if (highest(b) <= lowest(a)) return a;
        return symbols_.computed(operation::maximum, a, b, std::max(lowest(a), lowest(b)), std::max(highest(a), highest(b)));
      case ptx::calculation::abs:
        if (lowest(a) >= 0) return a;
        return std::nullopt;
      default: return std::nullopt;
    }
  }

  /// a * b, modulo 2^bits.
  std::optional<form> product(const form& a, const form& b, int bits) {
    if (symbols_.has_object(a) || symbols_.has_object(b)) return std::nullopt;
    if (const auto plain = symbols_.product(a, b); plain && !plain->is_broken) return plain;
    const auto x = bits <= 32 ? reduced(a, bits) : std::nullopt, y = bits <= 32 ? reduced(b, bits) : std::nullopt;
    return x && y ? symbols_.product(*x, *y) : std::nullopt;
  }

  /// and, or, xor where one operand has bits that the other has not, or that only clear or keep low bits.
  std::optional<form> of_bits(const ptx::instruction& i, const form& a, const form& b, int bits) {
    if (symbols_.has_object(a) || symbols_.has_object(b)) return std::nullopt;
    const bool is_second = b.is_number();
    const form &mask = is_second ? b : a, &other = is_second ? a : b;
    if (ptx::computes(i.op, ptx::calculation::bit_and) && mask.is_number() && !other.is_exact()) {
      const number size = mask.base + 1;
      if (mask.base >= 0 && (size & mask.base) == 0) return remainder(other, size);
      if (mask.base < 0 && (-mask.base & (-mask.base - 1)) == 0) {
        const form low = remainder(other, -mask.base);
        return add(other, low, -1);
      }
      return std::nullopt;
    }
    if (ptx::computes(i.op, ptx::calculation::bit_and)) return std::nullopt;
    for (const auto& [wide, small] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
      if (!small->is_exact() || wide->is_exact() || wide->is_broken) continue;
      number size = number{1} << std::min(bits, 40);
      for (const term& t : wide->terms)
        while (t.factor % size != 0) size /= 2;
      const bool fits = size > 1 && lowest(*small) >= 0 && highest(*small) < size;
      if (!fits) continue;
      form::column own(symbols_.threads());
      for (std::size_t t = 0; t < own.size(); ++t) {
        const number low = *compute(operation::remainder, wide->at(t), size), with = small->at(t);
        own[t] = wide->at(t) - low + (ptx::computes(i.op, ptx::calculation::bit_or) ? low | with : low ^ with);
      }
      return add(form{wide->terms, 0, nullptr}, each(std::move(own)));
    }
    return std::nullopt;
  }

  /// A form of moderate size that is congruent to `f`.
  static std::optional<form> held(const form& f, int bits) {
    if (f.is_broken) return std::nullopt;
    constexpr number moderate = number{1} << 50;
    const auto is_moderate = [](number n) { return n < moderate && n > -moderate; };
    bool are_all = is_moderate(f.base);
    for (const term& t : f.terms) are_all = are_all && is_moderate(t.factor);
    if (f.lanes) are_all = are_all && std::all_of(f.lanes->begin(), f.lanes->end(), is_moderate);
    if (are_all) return f;
    return bits > 32 ? std::nullopt : reduced(f, bits);
  }

 private:
  number lowest(const form& f) const { return numbers_.lowest(f); }
  number highest(const form& f) const { return numbers_.highest(f); }

  // A form with small parts that is congruent to `f` modulo 2^bits.
  static std::optional<form> reduced(const form& f, int bits) {
    if (f.is_broken) return std::nullopt;
    const auto small = [&](number n) { return *compute(operation::signed_bits, n, bits); };
    form out = constant(small(f.base));
    for (const term& t : f.terms)
      if (small(t.factor) != 0) out.terms.push_back({t.symbol, small(t.factor)});
    if (!f.lanes) return out;
    form::column own(*f.lanes);
    for (number& n : own) n = small(n);
    return add(out, each(std::move(own)));
  }

  // An instruction of a loop is often followed again with the same operands.
  const std::optional<form>& each_thread_once(const ptx::instruction& i, const form& a, const form& b, const form& c) {
    evaluated& last = evaluated_[&i];
    const bool is_same = last.op == i.op && last.operands == i.operand_count && last.tokens == i.token_array;
    if (!is_same || !(last.a == a && last.b == b && last.c == c))
      last = {i.op, i.operand_count, i.token_array, a, b, c, each_thread(i, a, b, c)};
    return last.result;
  }

  // As the machine computes it, for operands without symbols.
  std::optional<form> each_thread(const ptx::instruction& i, const form& a, const form& b, const form& c) const {
    ptx::instruction one = i;
    const form* const sources[] = {&a, &b, &c};
    const bool is_same = !a.lanes && !b.lanes && !c.lanes;
    form::column out(is_same ? 1 : symbols_.threads());
    for (std::size_t t = 0; t < out.size(); ++t) {
      for (std::size_t k = 1; k < i.operand_count; ++k) one[k] = ptx::operand::integer(sources[k - 1]->at(t));
      const auto result = ptx::evaluate(one);
      if (!result || result->kind != ptx::operand_kind::integer) return std::nullopt;
      if (result->value > largest_part || result->value < -largest_part) return std::nullopt;
      out[t] = result->value;
    }
    return is_same ? constant(out[0]) : each(std::move(out));
  }

  // A division by 0 leaves any number of the type.
  static bool is_small_unsigned(const ptx::instruction& i) {
    return !ptx::is_signed(i.type()) && ptx::width_bits(i.type()) <= 32;
  }
  static number most_of(int bits) { return (number{1} << bits) - 1; }

  // Limits of a truncated quotient; the divisor is not 0, or the result is any number of the type.
  number quotient_limit(const form& a, const form& b, bool is_high) const {
    const bool is_certain = lowest(b) > 0;
    const number low = lowest(a), high = highest(a);
    if (!is_certain || low <= -unbounded || high >= unbounded) return is_high ? unbounded : -unbounded;
    return is_high ? std::max<number>(high, 0) : std::min<number>(low, 0);
  }

  // floor(a / by), for a number.
  form divided(const form& a, number by) {
    form whole, rest{{}, 0, nullptr};
    split_terms(a, by, whole, rest);
    // whole = (what is divisible) / by; 0 <= rest - by * k < by where ranges say so.
    const number low = symbols_.low(rest), high = symbols_.high(rest);
    if (low > -unbounded && high < unbounded) {
      form::column own(rest.lanes ? symbols_.threads() : 1);
      bool is_known = true;
      for (std::size_t t = 0; t < own.size(); ++t) {
        own[t] = floor_division(rest.at(t) + low, by);
        is_known = is_known && own[t] == floor_division(rest.at(t) + high, by);
      }
      if (is_known) return add(whole, rest.lanes ? each(std::move(own)) : constant(own[0]));
    }
    const number least = lowest(rest), most = highest(rest);
    return add(whole, symbols_.computed(operation::quotient, rest, constant(by),
                                        least <= -unbounded ? -unbounded : floor_division(least, by),
                                        most >= unbounded ? unbounded : floor_division(most, by)));
  }

  // a - by * floor(a / by), for a number, or for what is congruent to it modulo a multiple of `by`.
  form remainder(const form& a, number by) {
    form whole, rest{{}, 0, nullptr};
    split_terms(a, by, whole, rest);
    if (const auto inside = numbers_.in_range(rest, 0, by)) return *inside;
    const number least = lowest(rest), most = highest(rest);
    const form turns =
        symbols_.computed(operation::quotient, rest, constant(by), least <= -unbounded ? -unbounded : floor_division(least, by),
                          most >= unbounded ? unbounded : floor_division(most, by));
    const form same = add(rest, turns, -by);
    return symbols_.computed(operation::remainder, rest, constant(by), 0, by - 1, same.is_broken ? form{} : same);
  }

  // a = by * whole + rest.
  void split_terms(const form& a, number by, form& whole, form& rest) const {
    rest = form{{}, a.base - by * floor_division(a.base, by), a.lanes, a.is_broken};
    whole = form{{}, floor_division(a.base, by), nullptr, a.is_broken};
    for (const term& t : a.terms) {
      if (t.factor % by == 0) whole.terms.push_back({t.symbol, t.factor / by});
      else rest.terms.push_back(t);
    }
  }

  struct evaluated {
    ptx::opcode op = ptx::opcode::none;
    std::size_t operands = 0;
    fixed_array<ptx::token, ptx::instruction::max_tokens> tokens = {};
    form a = {}, b = {}, c = {};
    std::optional<form> result = {};
  };

  symbols& symbols_;
  const numbers& numbers_;
  std::unordered_map<const void*, evaluated> evaluated_;  // by instruction: the last operands and what came of them
};

}  // namespace tg::proof
