// What the bits of a register mean as a number of a type.
//
// The domain. A register of w bits that holds an integer is described by a form F, an integer of mathematics per
// thread, with F congruent to the register's bits modulo 2^w. `add`, `sub`, `neg`, `mul.lo`, `mad.lo` and `shl` are
// exact on such forms, whatever wraps around, because they are exact modulo 2^w. All other instructions read their
// operands as numbers of a type; `as_number` is the only place that does so, and it returns one of three things:
//   1. F, or F less a multiple of 2^w per thread, where ranges or the conditions on the way prove that this lies in
//      the type's range;
//   2. a symbol for "the low bits of F", with the type's range, that knows itself to be F - 2^w * q for an integer q;
//   3. F, on the assumption that no sum of arguments, block numbers and counters exceeds its type. Only a second walk
//      makes it, for answers that are not proved without, and those answers say so. Sums with data in them, sums that
//      may be below 0 in an unsigned type, and sums that exceed the type in every launch are never assumed away.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/conditions.hpp>
#include <tg/dsl/proof/limits_on_ways.hpp>
#include <tg/dsl/proof/path.hpp>

namespace tg::proof {

/// Reads forms as numbers, on the way to an instruction.
class numbers {
 public:
  numbers(symbols& s, const conditions& c, bool assumes_no_overflow = false)
      : symbols_(s), assumes_no_overflow_(assumes_no_overflow), limits_(s, c) {}

  bool assumes_no_overflow() const { return assumes_no_overflow_; }
  /// Numbers that are read from here on are read on this way, which lives as long as this.
  void come_by(const path& way) { way_ = &way; }

  /// Limits of `f` in all threads.
  number lowest(const form& f) const { return extreme(f, symbols_.low(f), false); }
  number highest(const form& f) const { return extreme(f, symbols_.high(f), true); }

  /// `f` less a multiple of `size` in each thread, if ranges alone prove that it is at least `least` and below
  /// `least + size` then.
  std::optional<form> in_range(const form& f, number least, number size) const {
    const number low = symbols_.low(f), high = symbols_.high(f);
    if (f.is_broken || low <= -unbounded || high >= unbounded) return std::nullopt;
    form::column own(f.lanes ? symbols_.threads() : 1);
    bool is_same = true;
    for (std::size_t t = 0; t < own.size(); ++t) {
      const number turns = floor_division(f.at(t) + low - least, size);
      if (f.at(t) + high - turns * size >= least + size) return std::nullopt;
      own[t] = f.at(t) - turns * size;
      is_same = is_same && turns == 0;
    }
    if (is_same) return f;
    return add(form{f.terms, 0, nullptr}, f.lanes ? each(std::move(own)) : constant(own[0]));
  }

  /// The number that `bits` bits congruent to `f` mean. `is_cut`: the program asks for these bits of more, so that what
  /// is above them is meant to go.
  form as_number(const form& f, int bits, bool with_sign, bool is_cut = false) {
    if (bits <= 0 || bits > 64 || symbols_.has_object(f)) return f;
    if (bits == 64) return as_wide_number(f, with_sign);
    const number size = number{1} << bits;
    const number least = with_sign ? -size / 2 : 0, most = least + size - 1;
    if (const auto shifted = in_range(f, least, size)) return *shifted;
    if (keeps_to(f, least, most)) return f;
    if (!is_cut && may_be_assumed(f, with_sign, least, most)) return f;
    const number low = lowest(f), high = highest(f);
    const form turns = symbols_.computed(operation::quotient, add(f, constant(-least)), constant(size),
                                         low <= -unbounded ? -unbounded : floor_division(low - least, size),
                                         high >= unbounded ? unbounded : floor_division(high - least, size));
    const form same = add(f, turns, -size);
    return symbols_.computed(with_sign ? operation::signed_bits : operation::low_bits, f, constant(bits), least, most,
                             same.is_broken ? form{} : same);
  }

 private:
  number extreme(const form& f, number rest, bool is_high) const {
    if (f.is_broken || rest <= -unbounded || rest >= unbounded) return is_high ? unbounded : -unbounded;
    number out = f.at(0);
    for (std::size_t t = 1; t < symbols_.threads() && f.lanes; ++t)
      out = is_high ? std::max(out, f.at(t)) : std::min(out, f.at(t));
    return std::clamp(out + rest, -unbounded, unbounded);
  }

  // Whether the conditions on the way prove it.
  bool keeps_to(const form& f, number least, number most) { return is_at_least(f, least) && is_at_most(f, most); }
  bool is_at_least(const form& f, number least) { return is_at_most(scaled(f, -1), -least); }
  bool is_at_most(const form& f, number most) { return way_ != nullptr && limits_.keeps_to(f, most, *way_); }

  // See the third case above.
  bool may_be_assumed(const form& f, bool with_sign, number least, number most) {
    if (!assumes_no_overflow_ || f.is_broken || symbols_.is_data(f)) return false;
    if (!with_sign && lowest(f) < 0 && !is_at_least(f, 0)) return false;
    const number low = symbols_.low(f), high = symbols_.high(f);
    for (std::size_t t = 0; t < (f.lanes ? symbols_.threads() : 1); ++t) {
      if (low > -unbounded && f.at(t) + low > most) return false;
      if (high < unbounded && f.at(t) + high < least) return false;
    }
    return true;
  }

  form as_wide_number(const form& f, bool with_sign) {
    const number low = lowest(f), high = highest(f);
    if (low > -unbounded && high < unbounded && (with_sign || low >= 0)) return f;
    if (f.terms.size() == 1 && f.base == 0 && !f.lanes && !f.is_broken) {
      const symbol& s = symbols_[f.terms[0].symbol];
      if (s.whole_bits == 64 && s.whole_factor == f.terms[0].factor && s.is_signed == with_sign) return f;
      if ((s.op == operation::low_bits || s.op == operation::signed_bits) && s.right == constant(64) &&
          f.terms[0].factor == 1 && (s.op == operation::signed_bits) == with_sign)
        return f;
    }
    if (keeps_to(f, with_sign ? -largest_part : 0, largest_part)) return f;
    if (assumes_no_overflow_ && !f.is_broken && !symbols_.is_data(f) && (with_sign || low >= 0)) return f;
    return symbols_.computed(with_sign ? operation::signed_bits : operation::low_bits, f, constant(64),
                             with_sign ? -unbounded : 0, unbounded);
  }

  symbols& symbols_;
  bool assumes_no_overflow_;
  const path* way_ = nullptr;
  limits_on_ways limits_;
};

}  // namespace tg::proof
