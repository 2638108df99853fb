// Which bits a 32-bit register can have: what is computed from the thread's place and from masks and shifts by constants
// has few, multiples of powers of two end in zeros, anything else may have all.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include <tg/ptx/passes/registers.hpp>
#include <tg/ptx/special.hpp>

namespace tg::ptx {

/// Bits of registers that are written once; of all others every bit is possible. Requires: the function outlives it.
class possible_bits {
 public:
  possible_bits(const function& f, const std::vector<register_use>& uses)
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
  // All bits from the lowest of `lowest` to those of `largest`.
  static constexpr std::uint32_t up_to(std::uint64_t largest, std::uint32_t lowest) {
    const std::uint32_t from = lowest & (0 - lowest);
    return largest > all ? 0 - from : static_cast<std::uint32_t>(std::bit_ceil(largest + 1) - 1) & (0 - from);
  }

  std::uint32_t result_of(const instruction& i) {
    if (i.is_guarded() || i.has(token::sat) || i.has(token::cc) || width_bits(i.type()) != 32) return all;
    const std::uint32_t amount = i[2].is(operand_kind::integer) ? static_cast<std::uint32_t>(i[2].value) : all;
    switch (i.op) {
      case opcode::mov: return i[1].is(operand_kind::special) ? place(static_cast<special>(i[1].id)) : of(i[1]);
      case opcode::and_: return of(i[1]) & of(i[2]);
      case opcode::or_:
      case opcode::xor_: return of(i[1]) | of(i[2]);
      case opcode::shr: return amount < 32 && !is_signed(i.type()) ? of(i[1]) >> amount : all;
      case opcode::shl: return amount < 32 ? of(i[1]) << amount : all;
      case opcode::add: return sum(of(i[1]), of(i[2]));
      case opcode::mul: return i.has(token::lo) && i[2].is(operand_kind::integer) ? product(of(i[1]), amount) : all;
      default: return all;
    }
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
  const std::vector<register_use>& uses_;
  std::vector<std::uint32_t> bits_;
  std::vector<bool> is_known_;
};

}  // namespace tg::ptx
