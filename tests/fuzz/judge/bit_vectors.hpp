// The numbers of a random kernel as bit-vectors of z3, and what the operations on them compute.
#pragma once

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include <z3++.h>

#include "tree.hpp"

namespace judge {

/// Numbers of two threads and the launch. What is asserted of them stands in `known_` and `whole_`.
class bit_vectors {
 protected:
  explicit bit_vectors(z3::context& context) : context_(context) {}

  z3::expr number(type t, bits n) {
    return t == type::b ? context_.bool_val(n != 0)
                        : context_.bv_val(static_cast<std::uint64_t>(n & mask_of(t)), static_cast<unsigned>(width_of(t)));
  }
  z3::expr unknown(type t) {
    const std::string name = "u" + std::to_string(next_++);
    return t == type::b ? context_.bool_const(name.c_str())
                        : context_.bv_const(name.c_str(), static_cast<unsigned>(width_of(t)));
  }

  // A u32 of at most `most`: few bits are unknown, the others are 0.
  z3::expr small(bits most) {
    if (most == 0) return number(type::u32, 0);
    const auto width = static_cast<unsigned>(std::bit_width(most));
    const z3::expr own = context_.bv_const(("u" + std::to_string(next_++)).c_str(), width);
    if (most + 1 != bits{1} << width) known_.push_back(z3::ule(own, context_.bv_val(static_cast<std::uint64_t>(most), width)));
    return z3::zext(own, 32 - width);
  }

  z3::expr widened(type from, const z3::expr& x, int to) {
    const auto more = static_cast<unsigned>(to - width_of(from));
    return is_signed(from) ? z3::sext(x, more) : z3::zext(x, more);
  }

  // Quotient and rest by a constant as two unknown numbers: cheaper than the circuit that divides.
  std::pair<z3::expr, z3::expr> divided(const z3::expr& a, bits by) {
    for (const quotient& q : quotients_)
      if (q.by == by && z3::eq(q.of, a)) return {q.whole, q.rest};
    const unsigned width = a.get_sort().bv_size();
    const auto constant = [&](bits n) { return context_.bv_val(static_cast<std::uint64_t>(n), width); };
    const type t = width == 64 ? type::u64 : type::u32;
    const z3::expr whole = unknown(t), rest = unknown(t);
    known_.push_back(a == whole * constant(by) + rest);
    known_.push_back(z3::ult(rest, constant(by)));
    known_.push_back(z3::ule(whole, constant(mask_of(t) / by)));
    quotients_.push_back({a, by, whole, rest});
    return {whole, rest};
  }
  z3::expr division(const expr& e, const z3::expr& a, const z3::expr& b) {
    const bool is_quotient = e.what == op::div;
    const type t = e.of;
    const bits by = e.in[1].number;
    if (e.in[1].what != op::literal || by == 0 || width_of(t) < 32 || (is_signed(t) && to_signed(t, by) < 0)) {
      if (is_signed(t)) return is_quotient ? a / b : z3::srem(a, b);
      return is_quotient ? z3::udiv(a, b) : z3::urem(a, b);
    }
    const auto part = [&](const z3::expr& x) {
      if (std::has_single_bit(by)) return is_quotient ? z3::udiv(x, b) : z3::urem(x, b);
      const auto both = divided(x.simplify(), by);
      return is_quotient ? both.first : both.second;
    };
    if (!is_signed(t)) return part(a);
    const z3::expr is_below = a < number(t, 0), size = part(z3::ite(is_below, -a, a));
    return z3::ite(is_below, -size, size);
  }

  // Whether the product of two numbers fits into its type.
  z3::expr fits(type t, const expr& e, const z3::expr& a, const z3::expr& b) {
    if (e.in[1].what != op::literal || e.in[1].number == 0 || to_signed(t, e.in[1].number) <= 0)
      return is_signed(t) ? z3::bvmul_no_overflow(a, b, true) && z3::bvmul_no_underflow(a, b)
                          : z3::bvmul_no_overflow(a, b, false);
    const bits by = e.in[1].number;
    if (!is_signed(t)) return z3::ule(a, number(t, mask_of(t) / by));
    const std::int64_t most = static_cast<std::int64_t>(mask_of(t) >> 1), n = to_signed(t, by);
    return a <= number(t, static_cast<bits>(most / n)) && a >= number(t, static_cast<bits>((-most - 1) / n));
  }

  z3::expr computed(const expr& e, const std::vector<z3::expr>& in, const z3::expr& comes) {
    const type from = e.in[0].of;
    const bool is_signed_one = is_signed(from);
    const auto whole = [&](const z3::expr& holds) { whole_.push_back(z3::implies(comes, holds)); };
    switch (e.what) {
      case op::add:
        if (is_signed_one) whole(z3::bvadd_no_overflow(in[0], in[1], true) && z3::bvadd_no_underflow(in[0], in[1]));
        else whole(z3::ule(in[0], in[0] + in[1]));
        return in[0] + in[1];
      case op::sub:
        whole(z3::bvsub_no_underflow(in[0], in[1], is_signed_one));
        if (is_signed_one) whole(z3::bvsub_no_overflow(in[0], in[1]));
        return in[0] - in[1];
      case op::mul: whole(fits(from, e, in[0], in[1])); return in[0] * in[1];
      case op::div:
      case op::rem: return division(e, in[0], in[1]);
      case op::min: return z3::ite(below(from, in[0], in[1]), in[0], in[1]);
      case op::max: return z3::ite(below(from, in[0], in[1]), in[1], in[0]);
      case op::bit_and: return in[0] & in[1];
      case op::bit_or: return in[0] | in[1];
      case op::bit_xor: return in[0] ^ in[1];
      case op::shl:
      case op::shr: {
        const z3::expr by = width_of(from) == 64 ? z3::zext(in[1], 32) : in[1];
        if (e.what == op::shl) {
          whole(z3::lshr(z3::shl(in[0], by), by) == in[0]);
          return z3::shl(in[0], by);
        }
        return is_signed_one ? z3::ashr(in[0], by) : z3::lshr(in[0], by);
      }
      case op::lt: return below(from, in[0], in[1]);
      case op::ge: return !below(from, in[0], in[1]);
      case op::gt: return below(from, in[1], in[0]);
      case op::le: return !below(from, in[1], in[0]);
      case op::eq: return in[0] == in[1];
      case op::ne: return in[0] != in[1];
      case op::logic_and: return in[0] && in[1];
      case op::logic_or: return in[0] || in[1];
      case op::logic_not: return !in[0];
      case op::negate: return -in[0];
      case op::bit_not: return ~in[0];
      case op::select: return z3::ite(in[0], in[1], in[2]);
      case op::cast: {
        if (is_float(from) || is_float(e.of)) break;
        if (from == type::b) return z3::ite(in[0], number(e.of, 1), number(e.of, 0));
        if (e.of == type::b) return in[0] != number(from, 0);
        if (width_of(e.of) > width_of(from)) return widened(from, in[0], width_of(e.of));
        return width_of(e.of) == width_of(from) ? in[0] : in[0].extract(static_cast<unsigned>(width_of(e.of) - 1), 0);
      }
      default: break;
    }
    throw malformed("not for the solver");
  }

  static z3::expr below(type t, const z3::expr& a, const z3::expr& b) { return is_signed(t) ? a < b : z3::ult(a, b); }

  z3::context& context_;
  std::vector<z3::expr> known_;  // what holds of every launch
  std::vector<z3::expr> whole_;  // what holds where no sum or product leaves its type

 private:
  struct quotient {
    z3::expr of;
    bits by;
    z3::expr whole, rest;
  };

  std::vector<quotient> quotients_;
  int next_ = 0;
};

}  // namespace judge
