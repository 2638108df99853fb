// The address of an element of a view, exact in 64 bits.
#pragma once

#include <cstdint>

#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

/// The sum of base and index * stride over the dimensions of a view. A stride is a known number of bytes, or a register
/// that holds it: of 32 bits for the innermost one, below 2^31, so that a signed and an unsigned index widen right.
/// PTX: mul.wide and add.s64 for each dimension; of both ptxas makes one IMAD.WIDE. A 64-bit index takes mul.lo.s64.
class element_address {
 public:
  element_address(tracer& t, const ptx::operand& base) : t_(t), at_(base) {}

  /// Neighbours are `bytes` apart. `type`: of the index.
  void add(const ptx::operand& index, ptx::token type, std::int64_t bytes) {
    if (index.is(ptx::operand_kind::integer)) {
      offset_ += index.value * bytes;
    } else if (is_wide(type) || !is_short(bytes)) {
      add(product(widened(index, type), ptx::operand::integer(bytes)));
    } else {
      add(t_.compute(ptx::token::b64, ptx::operation::mul_wide(type), {index, ptx::operand::integer(bytes)}));
    }
  }

  /// Neighbours are as many bytes apart as a register of `stride_type` says, u32 or u64.
  void add(const ptx::operand& index, ptx::token type, const ptx::operand& stride, ptx::token stride_type) {
    const bool is_constant = index.is(ptx::operand_kind::integer);
    if (is_constant && index.value == 0) return;
    if (is_wide(stride_type) || (is_constant ? !is_short(index.value) : is_wide(type))) {
      const ptx::operand wide = widened(stride, stride_type);
      add(is_constant ? product(wide, index) : product(widened(index, type), wide));
    } else if (is_constant) {
      add(t_.compute(ptx::token::b64, ptx::operation::mul_wide(ptx::token::s32), {stride, index}));
    } else {
      add(t_.compute(ptx::token::b64, ptx::operation::mul_wide(type), {index, stride}));
    }
  }

  /// `[base + offset]`.
  ptx::operand get() {
    if (is_short(offset_)) return ptx::operand::address(at_, offset_);
    add(ptx::operand::integer(offset_));
    return ptx::operand::address(at_);
  }

 private:
  static bool is_wide(ptx::token type) { return type == ptx::token::u64 || type == ptx::token::s64; }
  static bool is_short(std::int64_t n) { return n == static_cast<std::int32_t>(n); }

  ptx::operand widened(const ptx::operand& x, ptx::token type) {
    if (is_wide(type)) return x;
    const ptx::token to = type == ptx::token::s32 ? ptx::token::s64 : ptx::token::u64;
    return t_.compute(ptx::token::b64, ptx::operation::convert(to, type), {x});
  }
  ptx::operand product(const ptx::operand& a, const ptx::operand& b) {
    return t_.compute(ptx::token::b64, ptx::operation::mul_low(ptx::token::s64), {a, b});
  }
  void add(const ptx::operand& offset) {
    at_ = t_.compute(ptx::token::b64, ptx::operation::add(ptx::token::s64), {at_, offset});
  }

  tracer& t_;
  ptx::operand at_;
  std::int64_t offset_ = 0;
};

}  // namespace tg::detail
