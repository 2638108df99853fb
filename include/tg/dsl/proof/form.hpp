// A linear form: a sum of factor * symbol and a number of each thread's own, in the integers of mathematics.
//
// What a register of w bits holds is described by a form that is congruent to its bits modulo 2^w. Addition, subtraction,
// multiplication and shifts to the left keep that congruence whatever wraps around. Everything that reads a register as
// a number (comparisons, divisions, conversions, addresses) takes it through `numbers::as_number` first.
//
// Arithmetic on forms is exact or says so: a form that does not fit in 62 bits is marked `is_broken` and proves nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include <tg/base/dynamic_array.hpp>

namespace tg::proof {

/// What forms compute with.
using number = std::int64_t;

/// Stands for "no limit"; no value of a kernel is as large.
inline constexpr number unbounded = number{1} << 60;

/// One unknown with its factor.
struct term {
  std::uint32_t symbol = 0;
  number factor = 0;
  friend bool operator==(const term&, const term&) = default;
};

/// No part of a form is larger, so that sums of a few of them are exact.
inline constexpr number largest_part = number{1} << 60;

/// `base + lanes[t] + sum of factor * symbol` in thread t.
struct form {
  using column = dynamic_array<number>;

  dynamic_array<term> terms;  // by symbol, no factor is 0
  number base = 0;
  std::shared_ptr<const column> lanes;  // none: the same in all threads
  bool is_broken = false;               // it was too large; the rest means nothing

  /// The part without symbols.
  number at(std::size_t thread) const { return lanes ? base + (*lanes)[thread] : base; }
  /// No symbol takes part.
  bool is_exact() const { return terms.empty(); }
  /// It is a symbol and nothing else.
  bool is_symbol() const { return terms.size() == 1 && terms[0].factor == 1 && base == 0 && !lanes && !is_broken; }
  /// No symbol takes part and all threads have the same.
  bool is_number() const { return terms.empty() && !lanes; }

  friend bool operator==(const form& a, const form& b) {
    if (a.is_broken || b.is_broken || a.base != b.base || a.terms != b.terms) return false;
    return a.lanes == b.lanes || (a.lanes && b.lanes && *a.lanes == *b.lanes);
  }
};

/// The form of a number.
inline form constant(number n) { return {{}, n, nullptr}; }

/// The form `factor` * symbol.
inline form single(std::uint32_t symbol, number factor = 1) { return {{{symbol, factor}}, 0, nullptr}; }

/// A number of each thread's own; `values` that are all equal become a constant.
inline form each(form::column values) {
  const bool is_same = std::all_of(values.begin(), values.end(), [&](number v) { return v == values.front(); });
  if (is_same) return constant(values.front());
  return {{}, 0, std::make_shared<const form::column>(std::move(values))};
}

/// a + factor * b.
inline form add(const form& a, const form& b, number factor = 1) {
  if (factor == 0) return a;
  form out;
  out.is_broken = a.is_broken || b.is_broken;
  const auto sum = [&](number x, number y) {
    number more = 0, all = 0;
    const bool is_over = __builtin_mul_overflow(factor, y, &more) || __builtin_add_overflow(x, more, &all);
    if (is_over || all > largest_part || all < -largest_part) out.is_broken = true, all = 0;
    return all;
  };
  out.base = sum(a.base, b.base);
  out.terms.reserve(a.terms.size() + b.terms.size());
  auto left = a.terms.begin();
  auto right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->symbol < right->symbol)) {
      out.terms.push_back(*left++);
    } else if (left == a.terms.end() || right->symbol < left->symbol) {
      out.terms.push_back({right->symbol, sum(0, right->factor)});
      ++right;
    } else {
      if (const number f = sum(left->factor, right->factor); f != 0) out.terms.push_back({left->symbol, f});
      ++left, ++right;
    }
  }
  if (!b.lanes) {
    out.lanes = a.lanes;
  } else if (!a.lanes && factor == 1) {
    out.lanes = b.lanes;
  } else {
    form::column both(b.lanes->size());
    for (std::size_t t = 0; t < both.size(); ++t) both[t] = sum(a.lanes ? (*a.lanes)[t] : 0, (*b.lanes)[t]);
    const form own = each(std::move(both));
    if (__builtin_add_overflow(out.base, own.base, &out.base) || std::abs(out.base) > largest_part) out.is_broken = true;
    out.lanes = own.lanes;
  }
  return out;
}

/// `a` times `factor`.
inline form scaled(const form& a, number factor) { return add(form{}, a, factor); }

/// The part without symbols, in each thread.
inline form::column values_of(const form& a, std::size_t threads) {
  form::column out(threads);
  for (std::size_t t = 0; t < threads; ++t) out[t] = a.at(t);
  return out;
}

}  // namespace tg::proof
