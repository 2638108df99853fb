// Which bits a 32-bit register can have: what is computed from the thread's place and from masks and shifts by constants
// has few, multiples of powers of two end in zeros, anything else may have all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/special.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace tg::ptx {

namespace detail {

/// Bits that may be 1, or a number.
struct bits_or_number {
  std::uint32_t bits = 0xffffffff;
  bool is_number = false;
};

}  // namespace detail

/// Bits of registers that are written once; of all others every bit is possible. Requires: the function outlives it.
class possible_bits {
 public:
  possible_bits(const function& f, const dynamic_array<register_use>& uses)
      : f_(f), uses_(uses), bits_(uses.size()), is_known_(uses.size()) {}

  static constexpr std::uint32_t all = 0xffffffff;

  std::uint32_t of(const operand& o) {
    if (o.is(operand_kind::integer)) return static_cast<std::uint32_t>(o.value);
    if (!o.is_reg() || o.id >= uses_.size() || !uses_[o.id].is_value()) return all;
    if (!is_known_[o.id]) {
      is_known_[o.id] = true;
      const std::uint32_t found = result_of(f_.body[uses_[o.id].definition]);
      bits_[o.id] = found;
    }
    return bits_[o.id];
  }

  /// The bits that may be set in the sum of two numbers with the possible bits `a` and `b`.
  static constexpr std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
    return (a & b) == 0 ? a | b : up_to(std::uint64_t{a} + b, a | b);
  }
  /// The bits that may be set in `factor` times a number with the possible bits `a`.
  static constexpr std::uint32_t product(std::uint32_t a, std::uint32_t factor) {
    if (std::has_single_bit(factor)) return a << std::countr_zero(factor);
    if (a == 0 || factor == 0) return 0;
    const int zeros = std::countr_zero(a) + std::countr_zero(factor);
    return zeros > 31 ? 0 : up_to(std::uint64_t{a} * factor, 1u << zeros);
  }

 private:
  using set = detail::bits_or_number;

  struct domain : blank_domain<set> {
    set copy(const set& a) const { return a; }
    set add(const set& a, const set& b) const { return {sum(a.bits, b.bits)}; }
    set bit_and(const set& a, const set& b) const { return {a.bits & b.bits}; }
    set bit_or(const set& a, const set& b) const { return {a.bits | b.bits}; }
    set bit_xor(const set& a, const set& b) const { return {a.bits | b.bits}; }
    set mul_low(const set& a, const set& b, word_type) const { return b.is_number ? set{product(a.bits, b.bits)} : set{}; }
    set div(const set& a, const set& b, word_type t) const {
      return b.is_number && b.bits != 0 && !t.is_signed ? set{up_to(a.bits / b.bits, 1)} : set{};
    }
    set rem(const set& a, const set& b, word_type t) const {
      return b.is_number && b.bits != 0 && !t.is_signed ? set{up_to(std::min(a.bits, b.bits - 1), 1)} : set{};
    }
    set shl(const set& a, const set& b, word_type) const { return b.is_number && b.bits < 32 ? set{a.bits << b.bits} : set{}; }
    set shr(const set& a, const set& b, word_type t) const {
      return b.is_number && b.bits < 32 && !t.is_signed ? set{a.bits >> b.bits} : set{};
    }
  };

  // All bits from the lowest of `lowest` to those of `largest`.
  static constexpr std::uint32_t up_to(std::uint64_t largest, std::uint32_t lowest) {
    const std::uint32_t from = lowest & (0 - lowest);
    return largest > all ? 0 - from : static_cast<std::uint32_t>(std::bit_ceil(largest + 1) - 1) & (0 - from);
  }

  std::uint32_t result_of(const instruction& i) {
    if (i.is_guarded() || width_bits(i.type()) != 32) return all;
    return integer_result(i, domain(),
                          [&](std::size_t k) -> set {
                            if (i[k].is(operand_kind::special)) return {place(static_cast<special>(i[k].id))};
                            return {of(i[k]), i[k].is(operand_kind::integer)};
                          })
        .bits;
  }

  std::uint32_t place(special s) const {
    if (s == special::laneid) return 31;
    if (s < special::tid_x || s > special::tid_z) return all;
    const auto axis = static_cast<std::size_t>(s) - static_cast<std::size_t>(special::tid_x);
    const std::uint32_t required = f_.bounds.required_threads[axis];
    const std::uint32_t threads = required != 0 ? required : f_.bounds.max_threads[axis];
    return threads == 0 ? all : up_to(threads - 1, 1);
  }

  const function& f_;
  const dynamic_array<register_use>& uses_;
  dynamic_array<std::uint32_t> bits_;
  dynamic_array<bool> is_known_;
};

}  // namespace tg::ptx
