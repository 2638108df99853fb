// What differs between the addresses that two blocks of a grid come to: integers with a factor, each in a range.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

namespace detail {

/// The factor that both have for the number of the block along x, or 0.
inline number walk_factor(const symbols& all, const form& a, const form& b) {
  const auto factor = [&](const form& f) {
    for (const term& t : f.terms)
      if (all[t.symbol].special == ptx::special::ctaid_x) return t.factor;
    return number{0};
  };
  return factor(a) == factor(b) ? factor(a) : 0;
}

/// Whether a symbol is the number of blocks along x, or a product with it.
inline bool is_multiple_of_grid(const symbols& all, std::uint32_t id) {
  const auto is_count = [&](const form& x) {
    return x.terms.size() == 1 && all[x.terms[0].symbol].special == ptx::special::nctaid_x && x.base == 0 && !x.lanes;
  };
  const symbol& s = all[id];
  return s.special == ptx::special::nctaid_x || (s.op == operation::product && (is_count(s.left) || is_count(s.right)));
}

/// The axis of a special register that numbers blocks, or -1.
inline int axis_of(ptx::special s) {
  return s == ptx::special::ctaid_x ? 0 : s == ptx::special::ctaid_y ? 1 : s == ptx::special::ctaid_z ? 2 : -1;
}

/// The axis along which a special register counts blocks, or -1.
inline int axis_of_count(ptx::special s) {
  return s == ptx::special::nctaid_x ? 0 : s == ptx::special::nctaid_y ? 1 : s == ptx::special::nctaid_z ? 2 : -1;
}

/// The axis along which blocks have different values of an unknown: their numbers, or numbers that they have drawn; or -1.
inline int axis_of(const symbol& s) { return s.drawn_along >= 0 ? s.drawn_along : axis_of(s.special); }

/// The axis along which two blocks never come to the same value of a form, whatever iterations of loops they are in: it is the
/// number of a block plus what all blocks share and, along x, multiples of the number of blocks. -1: none.
inline int axis_that_tells_apart(const symbols& all, const form& f) {
  if (f.is_broken || f.lanes) return -1;
  int axis = -1;
  bool is_walking = false;
  for (const term& t : f.terms) {
    const symbol& s = all[t.symbol];
    if (const int own = axis_of(s.special); own >= 0) {
      if (axis >= 0 || t.factor != 1) return -1;
      axis = own;
    } else if (is_multiple_of_grid(all, t.symbol)) {
      is_walking = true;
    } else if (s.shared != sharing::launch || s.is_loose) {
      return -1;
    }
  }
  return is_walking && axis != 0 ? -1 : axis;
}

/// The quotient or the remainder of a number that tells blocks apart, by a constant or by a number of the launch. Both together
/// are as good as the number: blocks differ in the quotients, or in the remainders. `may_be_zero`: whoever asks knows that the
/// number of the launch is not 0.
struct digit {
  int axis = -1;  // of the block's number; -1: the symbol is none
  const symbol* of = nullptr;
  bool is_quotient = false;

  bool has_number_of(const digit& other) const { return of->left == other.of->left && of->right == other.of->right; }
};
inline digit digit_of(const symbols& all, std::uint32_t id, bool may_be_zero = false) {
  const symbol& s = all[id];
  const bool is_quotient = s.op == operation::quotient || s.op == operation::truncated_quotient;
  const bool is_remainder = s.op == operation::remainder || s.op == operation::truncated_remainder;
  if (!is_quotient && !is_remainder) return {};
  const bool is_shared = std::all_of(s.right.terms.begin(), s.right.terms.end(), [&](const term& t) {
    return all[t.symbol].shared == sharing::launch && !all[t.symbol].is_loose;
  });
  if (s.right.is_broken || s.right.lanes || !is_shared || (!may_be_zero && all.low(s.right) + s.right.base <= 0)) return {};
  if (s.left.is_broken || s.left.lanes || all.low(s.left) + s.left.base < 0) return {};
  return {axis_that_tells_apart(all, s.left), &s, is_quotient};
}

/// The number of a block times some numbers of blocks: y * nctaid.x, (z * nctaid.y) * nctaid.x.
struct block_product {
  int axis = -1;        // of the block's number; -1: the symbol is none
  unsigned counts = 0;  // the axes of the numbers of blocks, a bit each
  std::uint32_t id = 0;
  number factor = 0;  // in an offset

  void multiply(const symbols& all, std::uint32_t by) {
    const symbol& s = all[by];
    const bool is_product = s.op == operation::product && s.left.is_symbol() && s.right.is_symbol();
    if (is_product) return multiply(all, s.left.terms[0].symbol), multiply(all, s.right.terms[0].symbol);
    const int own = axis_of(s.special), of_counts = axis_of_count(s.special);
    if (own >= 0) axis = axis == -1 ? own : none;
    else if (of_counts >= 0 && (counts >> of_counts & 1) == 0) counts |= 1u << of_counts;
    else axis = none;
  }

  static constexpr int none = -2;
};

/// A number in which each block of a grid has another one, such as (z * nctaid.y + y) * nctaid.x + x: digits whose weights are
/// the numbers of blocks along the axes of the digits below. Blocks that are the same along the axes of all digits share it.
struct block_numeral {
  fixed_array<block_product, 3> digits;
  int count = 0;

  bool has_axis(int axis) const {
    for (int k = 0; k < count; ++k)
      if (digits[static_cast<std::size_t>(k)].axis == axis) return true;
    return false;
  }
  bool has_symbol(std::uint32_t id) const {
    for (int k = 0; k < count; ++k)
      if (digits[static_cast<std::size_t>(k)].id == id) return true;
    return false;
  }
};

/// The numeral that both offsets have, with one factor; of less than two digits there is none.
inline block_numeral numeral_in(const symbols& all, const form& a, const form& b) {
  dynamic_array<block_product> found;
  for (const term& t : a.terms) {
    if (std::find(b.terms.begin(), b.terms.end(), t) == b.terms.end()) continue;
    block_product own;
    own.multiply(all, t.symbol);
    own.id = t.symbol;
    own.factor = t.factor;
    if (own.axis >= 0) found.push_back(own);
  }
  block_numeral out;
  unsigned weight = 0;
  for (bool is_longer = true; is_longer && out.count < 3;) {
    is_longer = false;
    for (const block_product& p : found) {
      if (p.counts != weight || out.has_axis(p.axis) || (out.count > 0 && p.factor != out.digits[0].factor)) continue;
      out.digits[static_cast<std::size_t>(out.count++)] = p;
      weight |= 1u << p.axis;
      is_longer = true;
      break;
    }
  }
  return out.count > 1 ? out : block_numeral{};
}

}  // namespace detail

/// What is known to differ between two blocks.
enum class block_part {
  number,     // their numbers along the axis
  quotient,   // the quotients of their numbers by a constant; remainders differ or not
  remainder,  // the remainders of their numbers; quotients are the same
};

/// Whether blocks come into the addresses only by quotients and remainders, of one number that tells them apart along `axis` by
/// another one. Two blocks then differ in the quotients, or in nothing but the remainders.
inline bool are_numbers_split(const symbols& all, const use& a, const use& b, int axis) {
  detail::digit first;
  for (const use* u : {&a, &b})
    for (const term& t : u->offset.terms) {
      if (detail::axis_of(all[t.symbol].special) == axis) return false;
      const detail::digit own = detail::digit_of(all, t.symbol);
      if (own.axis != axis) continue;
      if (first.of != nullptr && !first.has_number_of(own)) return false;
      first = own;
    }
  return first.of != nullptr;
}

/// What differs between the addresses of two blocks, of whose numbers along `axis` (0: x) `part` differs.
inline dynamic_array<unknown_number> block_unknowns(const symbols& all, const use& a, const use& b, int axis,
                                                    block_part part = block_part::number) {
  dynamic_array<unknown_number> out;
  const auto factor_in = [](const form& f, std::uint32_t id) {
    for (const term& t : f.terms)
      if (t.symbol == id) return t.factor;
    return number{0};
  };
  const auto axis_of = [&](std::uint32_t id) { return detail::axis_of(all[id]); };
  const auto is_split = [&](const term& t) {
    return part != block_part::number && detail::digit_of(all, t.symbol).axis == axis;
  };
  const auto add_unknown = [&](std::uint32_t id, number factor) { out.push_back({factor, all[id].low, all[id].high, false}); };
  // The number of a block plus any multiple of the number of blocks: two blocks never come to the same sum, as their
  // numbers differ by less than the number of blocks. So such multiples may join the difference of the two numbers,
  // if that has the same factor on both sides.
  const number walk = detail::walk_factor(all, a.offset, b.offset);
  bool is_walking = false;
  const auto joins = [&](const term& t) {
    return walk != 0 && t.factor % walk == 0 && detail::is_multiple_of_grid(all, t.symbol);
  };
  const detail::block_numeral digits =
      part == block_part::number ? detail::numeral_in(all, a.offset, b.offset) : detail::block_numeral{};
  const bool is_numeral = digits.has_axis(axis);
  if (is_numeral) out.push_back({digits.digits[0].factor, -unbounded, unbounded, true});
  const auto is_digit = [&](const term& t) { return is_numeral && digits.has_symbol(t.symbol); };
  dynamic_array<term> left;
  for (const term& t : a.offset.terms) {
    if (is_digit(t)) continue;
    const number other = factor_in(b.offset, t.symbol);
    const symbol& s = all[t.symbol];
    const bool is_shared = s.shared == sharing::launch && !s.is_loose;
    if (is_shared && other == t.factor) continue;
    if (joins(t) && (other == 0 || other % walk == 0)) {
      is_walking = true;
    } else if (is_shared) {
      add_unknown(t.symbol, t.factor - other);
    } else if (other == t.factor && (axis_of(t.symbol) >= 0 || is_split(t))) {
      left.push_back(t);
    } else {
      add_unknown(t.symbol, t.factor);
      if (other != 0) add_unknown(t.symbol, -other);
    }
  }
  for (const term& t : b.offset.terms) {
    if (is_digit(t) || factor_in(a.offset, t.symbol) != 0) continue;
    if (joins(t)) is_walking = true;
    else add_unknown(t.symbol, -t.factor);
  }
  for (const term& t : left) {
    if (is_split(t)) {
      const bool is_quotient = detail::digit_of(all, t.symbol).is_quotient;
      const bool differs = is_quotient == (part == block_part::quotient);
      if (is_quotient && !differs) continue;
      out.push_back({t.factor, -all[t.symbol].high, all[t.symbol].high, differs});
      continue;
    }
    const bool is_open = is_walking && all[t.symbol].special == ptx::special::ctaid_x;
    const number most = is_open ? unbounded : all[t.symbol].high;
    out.push_back({t.factor, -most, most, axis_of(t.symbol) == axis});
  }
  return out;
}

}  // namespace tg::proof
